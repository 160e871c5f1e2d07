# Prints Swift source with comments and the text of string literals left out, each line as `file:line:code`.
#
#   awk -f swift-code.awk Sources/JSON/*.swift
#
# The rules of `lint` match words on this output, so that a comment may speak of `await`. Code inside an interpolation
# is code and stays. Raw strings, multi-line strings, regex-free code and nested block comments are understood; a
# regex literal is not (there is none in Sources).
#
# State is a stack, since an interpolation may hold a string that holds an interpolation: each level is either a
# string (its closing delimiter) or an interpolation (its open parentheses).

FNR == 1 { top = 0; comment = 0 }

{
  line = $0
  code = ""
  place = 1
  length_ = length(line)
  while (place <= length_) {
    two = substr(line, place, 2)
    one = substr(line, place, 1)
    if (comment > 0) {
      if (two == "*/") { comment--; place += 2 } else if (two == "/*") { comment++; place += 2 } else place++
      continue
    }
    if (top > 0 && kind[top] == "string") {
      rest = substr(line, place)
      if (index(rest, closing[top]) == 1) {
        place += length(closing[top])
        code = code "\""
        top--
        continue
      }
      escape = "\\" hashes[top]
      if (index(rest, escape) == 1) {
        place += length(escape)
        if (substr(line, place, 1) == "(") { top++; kind[top] = "interpolation"; open[top] = 1; code = code "(" }
        place++
        continue
      }
      place++
      continue
    }
    if (two == "//") break
    if (two == "/*") { comment = 1; place += 2; continue }
    if (match(substr(line, place), /^#*"/)) {
      marks = substr(line, place, RLENGTH - 1)
      quote = substr(line, place + RLENGTH - 1, 3) == "\"\"\"" ? "\"\"\"" : "\""
      top++
      kind[top] = "string"
      hashes[top] = marks
      closing[top] = quote marks
      place += length(marks) + length(quote)
      code = code "\""
      continue
    }
    if (top > 0) {
      if (one == "(") open[top]++
      if (one == ")" && --open[top] == 0) top--
    }
    code = code one
    place++
  }
  # A string on one line ends with it, whatever the lexer above made of it.
  while (top > 0 && kind[top] == "string" && substr(closing[top], 1, 3) != "\"\"\"") top--
  print FILENAME ":" FNR ":" code
}
