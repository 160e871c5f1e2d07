// What clients see of a tool's arguments, as a whole.

import JSON
import Testing
import Transcript

@testable import MCP

@Suite("Tool schemas")
struct ToolSchemaTests {
  @Test("the input schema of a tool with a field of every shape")
  func snapshot() {
    #expect(
      pretty(ToyServer.echo.inputSchema) == """
        {
          "type": "object",
          "properties": {
            "id": {"type": "string", "description": "What it is about."},
            "text": {"type": "string", "description": "What to give back."},
            "loud": {"type": "boolean", "description": "In capital letters."},
            "times": {"type": "integer", "description": "How often."},
            "mood": {"type": "string", "enum": ["calm", "glad"], "description": "How to say it."},
            "tags": {"type": "array", "items": {"type": "string"}, "description": "Words to add."},
            "items": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "id": {"type": "string"},
                  "text": {"type": "string"},
                  "mood": {"type": "string", "enum": ["calm", "glad"]}
                },
                "additionalProperties": false
              },
              "description": "Several texts at once."
            }
          },
          "additionalProperties": false
        }
        """)
  }

  @Test("a tool without arguments has an empty object of properties")
  func empty() {
    let schema = compact(ToyServer.asking("x", questions: 0).inputSchema)
    #expect(schema == "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}")
  }

  @Test("no schema uses what hosts choke on")
  func plain() {
    var keywords: Set<String> = []
    func collect(_ schema: JSONValue) {
      keywords.formUnion(schema.members.map(\.key))
      for property in schema["properties"]?.members.map(\.value) ?? [] {
        #expect(property["type"]?.string != nil)
        collect(property)
      }
      if let items = schema["items"] { collect(items) }
    }
    collect(ToyServer.echo.inputSchema)
    #expect(keywords == ["type", "properties", "description", "enum", "items", "additionalProperties"])
  }
}
