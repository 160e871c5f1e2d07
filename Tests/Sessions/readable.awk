# Shows a recorded session as a conversation: each request, and below it what came back.
#
#   awk -f readable.awk answers requests
#
# Both files hold one JSON-RPC message a line. An answer is found by its id. Of a tool call the name and the arguments
# are shown as they were sent, of its answer the text; of everything else the member that a reader looks for.
# A small JSON reader stands below, since a machine that has Swift and make need not have anything else.

FILENAME == ARGV[1] {
  parse($0)
  answer[value["id"]] = $0
  next
}

{
  parse($0)
  method = value["method"]
  if (method == "tools/call") shown = value["params.name"] " " source["params.arguments"]
  else if (method == "resources/read") shown = method " " value["params.uri"]
  else if (method == "initialize") shown = method " " value["params.protocolVersion"]
  else shown = method
  if (shownAny++) print ""
  print "→ " shown
  if ("id" in value) {
    if (!(value["id"] in answer)) { print "← no answer"; failed = 1 }
    else show_answer(answer[value["id"]])
  }
}

END { exit failed }

# Prints the answer that `line` is, its lines below each other.
function show_answer(line,    text, place) {
  parse(line)
  if ("error.code" in value) text = "error " value["error.code"] ": " value["error.message"]
  else if ("result.content.0.text" in value) {
    text = value["result.content.0.text"]
    if (value["result.isError"] == "true") text = "(isError) " text
  }
  else if ("result.contents.0.text" in value) text = value["result.contents.0.text"]
  else if ("result.serverInfo.name" in value) text = value["result.serverInfo.name"] " speaks " value["result.protocolVersion"]
  else if ("result.tools.0.name" in value) {
    for (place = 0; ("result.tools." place ".name") in value; place++)
      text = text (place ? "\n" : "") value["result.tools." place ".name"] ": " value["result.tools." place ".title"]
  }
  else text = source["result"]
  sub(/\n+$/, "", text)
  gsub(/\n/, "\n  ", text)
  gsub(/\n  \n/, "\n\n", text)
  print "← " text
}

# Reads one message. `value` gets the text of each string, number and word by its path ("params.name",
# "result.tools.0.name"), `source` the text of each value as it was written.
function parse(line) {
  json = line
  at = 1
  split("", value)
  split("", source)
  read_value("")
}

function skip_space() { while (substr(json, at, 1) ~ /[ \t\r]/) at++ }

function read_value(path,    start, mark, name, count) {
  skip_space()
  start = at
  mark = substr(json, at, 1)
  if (mark == "{" || mark == "[") {
    at++
    skip_space()
    count = 0
    while (at <= length(json) && substr(json, at, 1) !~ /[\]}]/) {
      if (mark == "{") { name = read_string(); skip_space(); at++ } else name = count++
      read_value(path == "" ? name : path "." name)
      skip_space()
      if (substr(json, at, 1) == ",") at++
      skip_space()
    }
    at++
  }
  else if (mark == "\"") value[path] = read_string()
  else {
    match(substr(json, at), /^[-+.A-Za-z0-9]*/)
    value[path] = substr(json, at, RLENGTH)
    at += RLENGTH ? RLENGTH : 1
  }
  source[path] = substr(json, start, at - start)
}

function read_string(    text, mark) {
  text = ""
  at++
  while (at <= length(json)) {
    mark = substr(json, at, 1)
    if (mark == "\"") break
    if (mark == "\\") {
      at++
      mark = substr(json, at, 1)
      if (mark == "n") mark = "\n"
      else if (mark == "t") mark = "\t"
      else if (mark == "u") { mark = "\\u" substr(json, at + 1, 4); at += 4 }
    }
    text = text mark
    at++
  }
  at++
  return text
}
