// A tool, declared once: what clients see of it, how its arguments are read, and what it does.
//
//     let echo = Tool(
//       name: "echo", title: "Echo", description: "Gives a text back.",
//       hints: .init(readOnly: true, destructive: false, idempotent: true, openWorld: false),
//       fields: [Self.text], unknownArguments: .refused(), outputSchema: …
//     ) { arguments, context in
//       …
//     }
//
// The input schema follows from the fields, so it cannot promise what the reading does not keep.

import JSON

/// One entry of `tools/list` and what `tools/call` runs for it. Belongs to the main thread.
package struct Tool {
  /// What a host may assume about a call, to decide whether its user must agree first.
  package struct Hints: Sendable {
    package let readOnly: Bool
    package let destructive: Bool
    package let idempotent: Bool
    package let openWorld: Bool

    package init(readOnly: Bool, destructive: Bool, idempotent: Bool, openWorld: Bool) {
      self.readOnly = readOnly
      self.destructive = destructive
      self.idempotent = idempotent
      self.openWorld = openWorld
    }
  }

  package typealias Run = (Arguments, CallContext) throws(ToolFailure) -> Outcome

  package let name: String
  package let title: String
  package let description: String
  package let hints: Hints
  package let fields: [any ArgumentField]
  package let unknownArguments: UnknownArguments
  package let outputSchema: JSONValue
  /// The URI of the view that shows its results in the conversation (AppView.swift); nil for text alone.
  package let view: String?
  let run: Run

  package init(
    name: String, title: String, description: String, hints: Hints, fields: [any ArgumentField],
    unknownArguments: UnknownArguments, outputSchema: JSONValue, view: String? = nil, run: @escaping Run
  ) {
    self.name = name
    self.title = title
    self.description = description
    self.hints = hints
    self.fields = fields
    self.unknownArguments = unknownArguments
    self.outputSchema = outputSchema
    self.view = view
    self.run = run
  }

  /// The schema of the arguments, as flat and plain as hosts need it.
  package var inputSchema: JSONValue { FieldShape.objectSchema(of: fields, isDescribed: true) }

  /// Runs the tool on the members of `object`. What is wrong with the names of the arguments is found before the
  /// tool begins; what is wrong with their values, when it reads them.
  func call(_ object: JSONValue, context: CallContext) throws(ToolFailure) -> Outcome {
    try run(Arguments(object, fields: fields, unknownArguments: unknownArguments), context)
  }

  /// The entry of `tools/list`.
  func listed(in revision: Revision) -> JSONValue {
    let annotations = JSONValue.object(
      in: revision,
      [
        (.annotationsTitle, JSONValue(title)),
        (.annotationsReadOnly, JSONValue(hints.readOnly)),
        (.annotationsDestructive, JSONValue(hints.destructive)),
        (.annotationsIdempotent, JSONValue(hints.idempotent)),
        (.annotationsOpenWorld, JSONValue(hints.openWorld)),
      ])
    return .object(
      in: revision,
      [
        (.toolName, JSONValue(name)),
        (.toolTitle, JSONValue(title)),
        (.toolDescription, JSONValue(description)),
        (.toolInputSchema, inputSchema),
        (.toolOutputSchema, outputSchema),
        (.toolAnnotations, annotations),
        (.toolMeta, view.map(AppView.toolMeta)),
      ])
  }
}
