// The expected conversation of the modern revision; META is the envelope of each request.

extension Transcripts {
  static let july2026 = #"""
    → {"jsonrpc":"2.0","id":0,"method":"server/discover","params":{META}}
    ← {
      "jsonrpc": "2.0",
      "id": 0,
      "result": {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}, "resources": {}},
        "instructions": "Play.",
        "ttlMs": 3600000,
        "cacheScope": "public",
        "_meta": {
          "io.modelcontextprotocol/serverInfo": {
            "name": "toy",
            "version": "1.2.3",
            "title": "Toy",
            "description": "A toy.",
            "websiteUrl": "https://toy.example/"
          }
        }
      }
    }
    → {"jsonrpc":"2.0","id":"a","method":"tools/list","params":{META}}
    ← {
      "jsonrpc": "2.0",
      "id": "a",
      "result": {
        "resultType": "complete",
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
        ],
        "ttlMs": 3600000,
        "cacheScope": "public",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "toy", "version": "1.2.3", "title": "Toy"}}
      }
    }
    → {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"word":"hi"},META}}
    ← {
      "jsonrpc": "2.0",
      "id": 1,
      "result": {
        "resultType": "complete",
        "content": [{"type": "text", "text": "I say: hi"}],
        "structuredContent": {"said": "hi"},
        "isError": false,
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "toy", "version": "1.2.3", "title": "Toy"}}
      }
    }
    → {"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"say","arguments":{"words":"hi"},META}}
    ← {
      "jsonrpc": "2.0",
      "id": 1.0,
      "result": {
        "resultType": "complete",
        "content": [{"type": "text", "text": "unknown argument words; did you mean word?"}],
        "isError": true,
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "toy", "version": "1.2.3", "title": "Toy"}}
      }
    }
    → {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{META}}
    ← {
      "jsonrpc": "2.0",
      "id": 2,
      "result": {
        "resultType": "complete",
        "resources": [
          {
            "uri": "toy://greeting",
            "name": "greeting",
            "title": "Greeting",
            "description": "A word.",
            "mimeType": "text/plain",
            "annotations": {"audience": ["user", "assistant"], "priority": 0.5}
          }
        ],
        "ttlMs": 3600000,
        "cacheScope": "public",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "toy", "version": "1.2.3", "title": "Toy"}}
      }
    }
    → {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"toy://greeting",META}}
    ← {
      "jsonrpc": "2.0",
      "id": 3,
      "result": {
        "resultType": "complete",
        "contents": [{"uri": "toy://greeting", "mimeType": "text/plain", "text": "Good morning\n"}],
        "ttlMs": 3600000,
        "cacheScope": "public",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "toy", "version": "1.2.3", "title": "Toy"}}
      }
    }
    → {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"toy://nothing",META}}
    ← {
      "jsonrpc": "2.0",
      "id": 4,
      "error": {"code": -32602, "message": "resource not found: toy://nothing", "data": {"uri": "toy://nothing"}}
    }
    → {"jsonrpc":"2.0","id":null,"method":"tools/list","params":{META}}
    ← {"jsonrpc": "2.0", "error": {"code": -32600, "message": "id must be a string or an integer"}}
    → {"jsonrpc":"2.0","id":5,"method":"ping","params":{META}}
    ← {"jsonrpc": "2.0", "id": 5, "error": {"code": -32601, "message": "method not found: ping"}}
    """#
}
