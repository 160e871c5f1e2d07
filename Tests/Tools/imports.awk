# Compares import lines with the table of the architecture page.
#
#   awk -f imports.awk docs/architecture.md code
#
# The first file holds the table: the rows between `<!-- imports -->` and `<!-- /imports -->`, each
# `| target | module, module |`. The second is the output of swift-code.awk. Prints each import that the table lacks,
# and each target that has no row.

FILENAME == ARGV[1] {
  if ($0 ~ /<!-- imports -->/) { inside = 1; next }
  if ($0 ~ /<!-- \/imports -->/) inside = 0
  if (!inside || $0 !~ /^\|/) next
  gsub(/[`* ]/, "")
  split($0, cell, "|")
  if (cell[2] == "target" || cell[2] ~ /^-+$/) next
  row[cell[2]] = 1
  many = split(cell[3], module, ",")
  for (i = 1; i <= many; i++) allowed[cell[2], module[i]] = 1
  next
}

{
  first = index($0, ":")
  file = substr($0, 1, first - 1)
  rest = substr($0, first + 1)
  second = index(rest, ":")
  number = substr(rest, 1, second - 1)
  code = substr(rest, second + 1)
  if (code !~ /^[ \t]*(@[A-Za-z_]+(\([^)]*\))?[ \t]+)*((public|package|internal|fileprivate|private)[ \t]+)?import[ \t]/) next
  sub(/^.*import[ \t]+/, "", code)
  sub(/^(struct|class|enum|protocol|func|var|let|typealias)[ \t]+/, "", code)
  sub(/[^A-Za-z0-9_].*$/, "", code)
  split(file, part, "/")
  target = part[2]
  if (!(target in row)) {
    if (!(target in missing)) print file ":" number ": the target " target " has no row in docs/architecture.md"
    missing[target] = 1
  } else if (!((target, code) in allowed)) print file ":" number ": " target " may not import " code
}
