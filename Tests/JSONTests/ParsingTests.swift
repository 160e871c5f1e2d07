// What is accepted and refused, and what the refusal says.

import JSON
import Testing

/// A text that is not JSON, and what its error says.
struct Mistake: Sendable, CustomTestStringConvertible {
  let bytes: [UInt8]
  let kind: JSONError.Kind
  let line: Int
  let column: Int
  let message: String

  init(_ text: String, _ kind: JSONError.Kind, _ line: Int, _ column: Int, _ message: String) {
    self.init(bytes: Array(text.utf8), kind, line, column, message)
  }

  init(bytes: [UInt8], _ kind: JSONError.Kind, _ line: Int, _ column: Int, _ message: String) {
    self.bytes = bytes
    self.kind = kind
    self.line = line
    self.column = column
    self.message = message
  }

  var testDescription: String { String(decoding: bytes, as: UTF8.self).debugDescription }

  static let all: [Mistake] = [
    // nothing there
    Mistake("", .blank, 1, 1, "the text is empty"),
    Mistake("\u{FEFF}", .blank, 1, 1, "the text is empty"),
    Mistake(" \r\n\t", .blank, 1, 1, "the text is blank"),
    Mistake("\0\0\0\0", .blank, 1, 1, "the text consists of NUL bytes"),
    // another encoding
    Mistake(bytes: [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], .otherEncoding, 1, 1, "UTF-16 text; it has to be UTF-8"),
    Mistake(bytes: [0xFE, 0xFF, 0, 0x7B, 0, 0x7D], .otherEncoding, 1, 1, "UTF-16 text; it has to be UTF-8"),
    Mistake(bytes: [0x7B, 0, 0x7D, 0], .otherEncoding, 1, 1, "UTF-16 text; it has to be UTF-8"),
    Mistake(bytes: [0, 0x7B, 0, 0x7D], .otherEncoding, 1, 1, "UTF-16 text; it has to be UTF-8"),
    // cut off
    Mistake("{\"items\": [\n  {\"a\": 1},", .endOfText, 2, 12, "the text ends inside an array"),
    Mistake("{\"a\": {\"b\": 1", .endOfText, 1, 14, "the text ends inside an object"),
    Mistake("{\"a\"", .endOfText, 1, 5, "the text ends inside an object"),
    Mistake("[\"Mil", .endOfText, 1, 6, "the text ends inside a string"),
    Mistake("[\"Mil\\", .endOfText, 1, 7, "the text ends inside a string"),
    Mistake("[\"Mil\\u00", .endOfText, 1, 10, "the text ends inside a string"),
    Mistake(bytes: Array("[\"K".utf8) + [0xC3], .endOfText, 1, 5, "the text ends inside a character"),
    Mistake(
      bytes: Array("[\"K".utf8) + [0xF0, 0x9F, 0x98], .endOfText, 1, 5, "the text ends inside a character"),
    Mistake("[tru", .endOfText, 1, 5, "the text ends inside a word"),
    Mistake("-", .endOfText, 1, 2, "the text ends inside a number"),
    Mistake("[1.", .endOfText, 1, 4, "the text ends inside a number"),
    Mistake("[1e+", .endOfText, 1, 5, "the text ends inside a number"),
    // what people and programs put into JSON
    Mistake("[1,\n 2,\n]", .trailingComma, 2, 3, "a trailing comma"),
    Mistake("{\"a\": 1 , }", .trailingComma, 1, 9, "a trailing comma"),
    Mistake("{ // the list\n}", .comment, 1, 3, "a comment is not JSON"),
    Mistake("[1, /* two */ 2]", .comment, 1, 5, "a comment is not JSON"),
    Mistake("# list\n{}", .comment, 1, 1, "a comment is not JSON"),
    Mistake("{}\n// end", .comment, 2, 1, "a comment is not JSON"),
    Mistake(
      "{\n<<<<<<< HEAD\n\"a\": 1\n", .conflictMarker, 2, 1,
      "a conflict marker (<<<<<<<); two versions of the text were not merged"),
    Mistake(
      "{\"a\": 1,\n=======\n", .conflictMarker, 2, 1,
      "a conflict marker (=======); two versions of the text were not merged"),
    Mistake(
      "{\"a\": 1\n>>>>>>> theirs\n}", .conflictMarker, 2, 1,
      "a conflict marker (>>>>>>>); two versions of the text were not merged"),
    Mistake("{'a': 1}", .unexpected, 1, 2, "single quotes; JSON has double quotes"),
    Mistake("['a']", .unexpected, 1, 2, "single quotes; JSON has double quotes"),
    Mistake("[“a”]", .unexpected, 1, 2, "expected a value, found '“'"),
    Mistake("[\u{A0}1]", .unexpected, 1, 2, "expected a value, found U+00A0"),
    Mistake("[1\u{FEFF}]", .unexpected, 1, 3, "expected ',' or ']', found U+FEFF"),
    // the grammar
    Mistake("[1 2]", .unexpected, 1, 4, "expected ',' or ']', found '2'"),
    Mistake("{\"a\": 1 \"b\": 2}", .unexpected, 1, 9, "expected ',' or '}', found '\"'"),
    Mistake("[1}", .unexpected, 1, 3, "expected ',' or ']', found '}'"),
    Mistake("{\"a\": 1]", .unexpected, 1, 8, "expected ',' or '}', found ']'"),
    Mistake("[,1]", .unexpected, 1, 2, "expected a value, found ','"),
    Mistake("{a: 1}", .unexpected, 1, 2, "expected a member's name in double quotes, found 'a'"),
    Mistake("{1: 1}", .unexpected, 1, 2, "expected a member's name in double quotes, found '1'"),
    Mistake("{\"a\" 1}", .unexpected, 1, 6, "expected ':', found '1'"),
    Mistake("[\0]", .unexpected, 1, 2, "expected a value, found 0x00"),
    Mistake("{} {}", .trailingText, 1, 4, "more text behind the end of the value, from '{' on"),
    Mistake("{\"a\": 1}\n\0\0", .trailingText, 2, 1, "more text behind the end of the value, from 0x00 on"),
    // tokens
    Mistake("[01]", .invalidNumber, 1, 2, "a number with a leading zero"),
    Mistake("[-01]", .invalidNumber, 1, 2, "a number with a leading zero"),
    Mistake("[+1]", .invalidNumber, 1, 2, "a number cannot start with '+'"),
    Mistake("[.5]", .invalidNumber, 1, 2, "a number cannot start with '.'"),
    Mistake("[5.]", .invalidNumber, 1, 4, "a number that lacks a digit"),
    Mistake("[1e]", .invalidNumber, 1, 4, "a number that lacks a digit"),
    Mistake("[- 1]", .invalidNumber, 1, 3, "a number that lacks a digit"),
    Mistake("[-Infinity]", .invalidNumber, 1, 2, "-Infinity is no number of JSON"),
    Mistake("[NaN]", .invalidLiteral, 1, 2, "NaN is no value of JSON"),
    Mistake("[True]", .invalidLiteral, 1, 2, "True is no value of JSON"),
    Mistake("[nul]", .invalidLiteral, 1, 2, "nul is no value of JSON"),
    Mistake("undefined", .invalidLiteral, 1, 1, "undefined is no value of JSON"),
    Mistake("[\"\\x\"]", .invalidEscape, 1, 3, "a backslash before 'x', which is no escape of JSON"),
    Mistake("[\"a\\u12g4\"]", .invalidEscape, 1, 4, "\\u without four hexadecimal digits"),
    Mistake(
      "[\"a\nb\"]", .controlCharacter, 1, 4, "a line break inside a string (it would have to be written \\n)"),
    Mistake("[\"a\tb\"]", .controlCharacter, 1, 4, "a tab inside a string (it would have to be written \\t)"),
    Mistake("[\"a\u{1}b\"]", .controlCharacter, 1, 4, "a control character (0x01) inside a string"),
    Mistake(bytes: [0x22, 0xFF, 0x22], .invalidUTF8, 1, 2, "invalid UTF-8 (byte 0xff)"),
    Mistake(bytes: [0x5B, 0xE9, 0x5D], .invalidUTF8, 1, 2, "invalid UTF-8 (byte 0xe9)"),
    // places
    Mistake("[\r\n\r\n x]", .invalidLiteral, 3, 2, "x is no value of JSON"),
    Mistake("[\r\r x]", .invalidLiteral, 3, 2, "x is no value of JSON"),
    Mistake("\u{FEFF}[x]", .invalidLiteral, 1, 2, "x is no value of JSON"),
    Mistake("[\"é😀\", x]", .invalidLiteral, 1, 8, "x is no value of JSON"),
  ]
}

struct ParsingTests {
  @Test(arguments: Mistake.all)
  func refusal(_ mistake: Mistake) throws {
    let error = try #require(throws: JSONError.self) { try JSONValue(parsing: mistake.bytes) }
    #expect(error.kind == mistake.kind)
    #expect(error.message == mistake.message)
    #expect([error.line, error.column] == [mistake.line, mistake.column])
    #expect("\(error)" == "line \(mistake.line), column \(mistake.column): \(mistake.message)")
  }

  @Test func anErrorHasTheOffsetInBytes() throws {
    let error = try #require(throws: JSONError.self) { try JSONValue(json: "[\"é😀\", x]") }
    #expect(error.offset == 11)
  }

  @Test(arguments: [1, 2, 511, 512])
  func depthIsAcceptedUpTo512(_ depth: Int) throws {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(try JSONValue(json: text).kind == .array)
  }

  @Test(arguments: [513, 100_000])
  func deeperIsAnError(_ depth: Int) throws {
    for open in ["[", "{\"a\":"] {
      let error = try #require(throws: JSONError.self) {
        try JSONValue(json: String(repeating: open, count: depth))
      }
      #expect(error.kind == .tooDeep)
      #expect(error.offset == 512 * open.utf8.count)
      #expect(error.message == "arrays and objects nested more than 512 deep")
    }
  }

  @Test func depthCanBeLessButNeverMuchMore() throws {
    #expect(throws: JSONError.self) { try JSONValue(parsing: Array("[[]]".utf8), maximumDepth: 1) }
    #expect(try JSONValue(parsing: Array("[]".utf8), maximumDepth: 1).kind == .array)
    #expect(try JSONValue(parsing: Array("1".utf8), maximumDepth: 0).kind == .number)
    let deep = Array(String(repeating: "[", count: 1_000_000).utf8)
    let error = try #require(throws: JSONError.self) { try JSONValue(parsing: deep, maximumDepth: .max) }
    #expect(error.kind == .tooDeep)
  }

  /// Sequences of four bytes, with every first byte outside ASCII and the others at the edges of their
  /// ranges, are taken as the standard library takes them.
  @Test func utf8IsWhatTheStandardLibrarySays() {
    let second: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE1, 0xF1, 0xFF]
    let others: [UInt8] = [0x41, 0x80, 0xBF, 0xC0]
    for first in UInt8(0x80)...0xFF {
      for second in second {
        for third in others {
          for fourth in others {
            let bytes = [first, second, third, fourth]
            let isAccepted = (try? JSONValue(parsing: [0x22] + bytes + [0x22])) != nil
            if isAccepted != (String(validating: bytes, as: UTF8.self) != nil) { Issue.record("\(bytes)") }
          }
        }
      }
    }
  }

  @Test func aByteOrderMarkIsAcceptedAndKept() throws {
    let root = try JSONValue(json: "\u{FEFF}{\"a\": 1}\n")
    #expect(root["a"]?.int64 == 1)
    #expect(root.file == "\u{FEFF}{\"a\": 1}\n")
    #expect(root.setting("a", to: 2).file == "\u{FEFF}{\"a\": 2}\n")
  }

  /// The index starts with a guess; dense texts need more, in several steps.
  @Test(arguments: [0, 1, 7, 8, 9, 1000, 100_000])
  func denseTextsAreIndexed(_ count: Int) throws {
    for (element, open, close) in [("1", "[", "]"), ("[]", "[", "]"), ("\"\":{}", "{", "}")] {
      let text = open + Array(repeating: element, count: count).joined(separator: ",") + close
      let root = try JSONValue(json: text)
      #expect(root.elements.count + root.members.count == count)
      #expect(root.compact == text)
    }
  }

  @Test func allWhiteSpaceBetweenTokensIsSkipped() throws {
    for count in 0...20 {
      let space = String(repeating: " ", count: count)
      for gap in [space, space + "\n", "\r\n" + space, "\t" + space + "\t\r"] {
        let text =
          gap + "{" + gap + "\"a\"" + gap + ":" + gap + "[" + gap + "1" + gap + "," + gap + "2" + gap + "]"
          + gap
          + "}" + gap
        #expect(try JSONValue(json: text).compact == #"{"a":[1,2]}"#)
      }
    }
  }

  /// A stop at every distance from a string's start, and from the text's end: words of eight bytes hide none.
  @Test func everyStopInAStringIsSeen() throws {
    for length in 0...24 {
      for position in 0...length {
        var characters = Array(repeating: "x", count: length)
        for (special, decoded) in [
          ("\\n", "\n"), ("é", "é"), ("\\u00e9", "é"), ("\u{7F}", "\u{7F}"), ("😀", "😀"),
        ] {
          characters = Array(repeating: "x", count: length)
          characters.insert(special, at: position)
          let text = "\"" + characters.joined() + "\""
          characters[position] = decoded
          #expect(try JSONValue(json: text).string == characters.joined())
        }
        characters = Array(repeating: "x", count: length)
        characters.insert("\u{1F}", at: position)
        let error = try #require(throws: JSONError.self) {
          try JSONValue(json: "\"" + characters.joined() + "\"")
        }
        #expect(error.offset == position + 1)
      }
    }
  }
}
