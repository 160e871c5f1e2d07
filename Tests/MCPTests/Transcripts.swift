// The expected conversations of TranscriptTests, one per revision. "→" is what the client sends, "←" what it gets.

@testable import MCP

enum Transcripts {
  static let byRevision: [Revision: String] = [
    .november2024: november2024, .march2025: march2025, .june2025: june2025, .november2025: november2025,
    .july2026: july2026,
  ]

  private static let november2024 = #"""
    → {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{}}}
    ← {
      "jsonrpc": "2.0",
      "id": 0,
      "result": {
        "protocolVersion": "2024-11-05",
        "capabilities": {"tools": {}, "resources": {}},
        "serverInfo": {"name": "toy", "version": "1.2.3"},
        "instructions": "Play."
      }
    }
    → {"jsonrpc":"2.0","method":"notifications/initialized"}
    → {"jsonrpc":"2.0","id":"a","method":"tools/list"}
    ← {
      "jsonrpc": "2.0",
      "id": "a",
      "result": {
        "tools": [
          {
            "name": "say",
            "description": "Says a word.",
            "inputSchema": {
              "type": "object",
              "properties": {"word": {"type": "string", "description": "What to say."}},
              "additionalProperties": false
            }
          }
        ]
      }
    }
    → {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"word":"hi"}}}
    ← {
      "jsonrpc": "2.0",
      "id": 1,
      "result": {
        "content": [{"type": "text", "text": "I say: hi"}],
        "isError": false
      }
    }
    → {"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"say","arguments":{"words":"hi"}}}
    ← {
      "jsonrpc": "2.0",
      "id": 1.0,
      "result": {
        "content": [{"type": "text", "text": "unknown argument words; did you mean word?"}],
        "isError": true
      }
    }
    → {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{}}
    ← {
      "jsonrpc": "2.0",
      "id": 2,
      "result": {
        "resources": [
          {
            "uri": "toy://greeting",
            "name": "greeting",
            "description": "A word.",
            "mimeType": "text/plain",
            "annotations": {"audience": ["user", "assistant"], "priority": 0.5}
          }
        ]
      }
    }
    → {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"toy://greeting"}}
    ← {
      "jsonrpc": "2.0",
      "id": 3,
      "result": {
        "contents": [{"uri": "toy://greeting", "mimeType": "text/plain", "text": "Good morning\n"}]
      }
    }
    → {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"toy://nothing"}}
    ← {
      "jsonrpc": "2.0",
      "id": 4,
      "error": {"code": -32002, "message": "resource not found: toy://nothing", "data": {"uri": "toy://nothing"}}
    }
    → {"jsonrpc":"2.0","id":null,"method":"ping"}
    ← {
      "jsonrpc": "2.0",
      "id": null,
      "error": {"code": -32600, "message": "id must be a string or an integer"}
    }
    → {"jsonrpc":"2.0","id":5,"method":"ping"}
    ← {"jsonrpc": "2.0", "id": 5, "result": {}}
    """#

  private static let march2025 = #"""
    → {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}}
    ← {
      "jsonrpc": "2.0",
      "id": 0,
      "result": {
        "protocolVersion": "2025-03-26",
        "capabilities": {"tools": {}, "resources": {}},
        "serverInfo": {"name": "toy", "version": "1.2.3"},
        "instructions": "Play."
      }
    }
    → {"jsonrpc":"2.0","method":"notifications/initialized"}
    → {"jsonrpc":"2.0","id":"a","method":"tools/list"}
    ← {
      "jsonrpc": "2.0",
      "id": "a",
      "result": {
        "tools": [
          {
            "name": "say",
            "description": "Says a word.",
            "inputSchema": {
              "type": "object",
              "properties": {"word": {"type": "string", "description": "What to say."}},
              "additionalProperties": false
            },
            "annotations": {
              "title": "Say",
              "readOnlyHint": true,
              "destructiveHint": false,
              "idempotentHint": true,
              "openWorldHint": false
            }
          }
        ]
      }
    }
    → {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"word":"hi"}}}
    ← {
      "jsonrpc": "2.0",
      "id": 1,
      "result": {
        "content": [{"type": "text", "text": "I say: hi"}],
        "isError": false
      }
    }
    → {"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"say","arguments":{"words":"hi"}}}
    ← {
      "jsonrpc": "2.0",
      "id": 1.0,
      "result": {
        "content": [{"type": "text", "text": "unknown argument words; did you mean word?"}],
        "isError": true
      }
    }
    → {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{}}
    ← {
      "jsonrpc": "2.0",
      "id": 2,
      "result": {
        "resources": [
          {
            "uri": "toy://greeting",
            "name": "greeting",
            "description": "A word.",
            "mimeType": "text/plain",
            "annotations": {"audience": ["user", "assistant"], "priority": 0.5}
          }
        ]
      }
    }
    → {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"toy://greeting"}}
    ← {
      "jsonrpc": "2.0",
      "id": 3,
      "result": {
        "contents": [{"uri": "toy://greeting", "mimeType": "text/plain", "text": "Good morning\n"}]
      }
    }
    → {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"toy://nothing"}}
    ← {
      "jsonrpc": "2.0",
      "id": 4,
      "error": {"code": -32002, "message": "resource not found: toy://nothing", "data": {"uri": "toy://nothing"}}
    }
    → {"jsonrpc":"2.0","id":null,"method":"ping"}
    ← {
      "jsonrpc": "2.0",
      "id": null,
      "error": {"code": -32600, "message": "id must be a string or an integer"}
    }
    → {"jsonrpc":"2.0","id":5,"method":"ping"}
    ← {"jsonrpc": "2.0", "id": 5, "result": {}}
    """#

  private static let june2025 = #"""
    → {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}
    ← {
      "jsonrpc": "2.0",
      "id": 0,
      "result": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}, "resources": {}},
        "serverInfo": {"name": "toy", "version": "1.2.3", "title": "Toy"},
        "instructions": "Play."
      }
    }
    → {"jsonrpc":"2.0","method":"notifications/initialized"}
    → {"jsonrpc":"2.0","id":"a","method":"tools/list"}
    ← {
      "jsonrpc": "2.0",
      "id": "a",
      "result": {
        "tools": [
          {
            "name": "say",
            "title": "Say",
            "description": "Says a word.",
            "inputSchema": {
              "type": "object",
              "properties": {"word": {"type": "string", "description": "What to say."}},
              "additionalProperties": false
            },
            "outputSchema": {
              "type": "object",
              "properties": {"said": {"type": "string"}},
              "required": ["said"]
            },
            "annotations": {
              "title": "Say",
              "readOnlyHint": true,
              "destructiveHint": false,
              "idempotentHint": true,
              "openWorldHint": false
            }
          }
        ]
      }
    }
    → {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"word":"hi"}}}
    ← {
      "jsonrpc": "2.0",
      "id": 1,
      "result": {
        "content": [{"type": "text", "text": "I say: hi"}],
        "structuredContent": {"said": "hi"},
        "isError": false
      }
    }
    → {"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"say","arguments":{"words":"hi"}}}
    ← {
      "jsonrpc": "2.0",
      "id": 1.0,
      "result": {
        "content": [{"type": "text", "text": "unknown argument words; did you mean word?"}],
        "isError": true
      }
    }
    → {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{}}
    ← {
      "jsonrpc": "2.0",
      "id": 2,
      "result": {
        "resources": [
          {
            "uri": "toy://greeting",
            "name": "greeting",
            "title": "Greeting",
            "description": "A word.",
            "mimeType": "text/plain",
            "annotations": {"audience": ["user", "assistant"], "priority": 0.5}
          }
        ]
      }
    }
    → {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"toy://greeting"}}
    ← {
      "jsonrpc": "2.0",
      "id": 3,
      "result": {
        "contents": [{"uri": "toy://greeting", "mimeType": "text/plain", "text": "Good morning\n"}]
      }
    }
    → {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"toy://nothing"}}
    ← {
      "jsonrpc": "2.0",
      "id": 4,
      "error": {"code": -32002, "message": "resource not found: toy://nothing", "data": {"uri": "toy://nothing"}}
    }
    → {"jsonrpc":"2.0","id":null,"method":"ping"}
    ← {
      "jsonrpc": "2.0",
      "id": null,
      "error": {"code": -32600, "message": "id must be a string or an integer"}
    }
    → {"jsonrpc":"2.0","id":5,"method":"ping"}
    ← {"jsonrpc": "2.0", "id": 5, "result": {}}
    """#

  private static let november2025 = #"""
    → {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
    ← {
      "jsonrpc": "2.0",
      "id": 0,
      "result": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}, "resources": {}},
        "serverInfo": {
          "name": "toy",
          "version": "1.2.3",
          "title": "Toy",
          "description": "A toy.",
          "websiteUrl": "https://toy.example/"
        },
        "instructions": "Play."
      }
    }
    → {"jsonrpc":"2.0","method":"notifications/initialized"}
    → {"jsonrpc":"2.0","id":"a","method":"tools/list"}
    ← {
      "jsonrpc": "2.0",
      "id": "a",
      "result": {
        "tools": [
          {
            "name": "say",
            "title": "Say",
            "description": "Says a word.",
            "inputSchema": {
              "type": "object",
              "properties": {"word": {"type": "string", "description": "What to say."}},
              "additionalProperties": false
            },
            "outputSchema": {
              "type": "object",
              "properties": {"said": {"type": "string"}},
              "required": ["said"]
            },
            "annotations": {
              "title": "Say",
              "readOnlyHint": true,
              "destructiveHint": false,
              "idempotentHint": true,
              "openWorldHint": false
            }
          }
        ]
      }
    }
    → {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"word":"hi"}}}
    ← {
      "jsonrpc": "2.0",
      "id": 1,
      "result": {
        "content": [{"type": "text", "text": "I say: hi"}],
        "structuredContent": {"said": "hi"},
        "isError": false
      }
    }
    → {"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"say","arguments":{"words":"hi"}}}
    ← {
      "jsonrpc": "2.0",
      "id": 1.0,
      "result": {
        "content": [{"type": "text", "text": "unknown argument words; did you mean word?"}],
        "isError": true
      }
    }
    → {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{}}
    ← {
      "jsonrpc": "2.0",
      "id": 2,
      "result": {
        "resources": [
          {
            "uri": "toy://greeting",
            "name": "greeting",
            "title": "Greeting",
            "description": "A word.",
            "mimeType": "text/plain",
            "annotations": {"audience": ["user", "assistant"], "priority": 0.5}
          }
        ]
      }
    }
    → {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"toy://greeting"}}
    ← {
      "jsonrpc": "2.0",
      "id": 3,
      "result": {
        "contents": [{"uri": "toy://greeting", "mimeType": "text/plain", "text": "Good morning\n"}]
      }
    }
    → {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"toy://nothing"}}
    ← {
      "jsonrpc": "2.0",
      "id": 4,
      "error": {"code": -32002, "message": "resource not found: toy://nothing", "data": {"uri": "toy://nothing"}}
    }
    → {"jsonrpc":"2.0","id":null,"method":"ping"}
    ← {"jsonrpc": "2.0", "error": {"code": -32600, "message": "id must be a string or an integer"}}
    → {"jsonrpc":"2.0","id":5,"method":"ping"}
    ← {"jsonrpc": "2.0", "id": 5, "result": {}}
    """#
}
