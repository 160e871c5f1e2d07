// What a tool call comes to.
//
//     run(arguments, context)  →  .done(result)                  answered at once
//                              →  .ask(question, resume)         answered once the user has said yes or no
//                              →  throws ToolFailure             answered with isError and a text for the model
//
// A tool never learns how a question reaches the user. It gives the question and what to do with the answer, and the
// session brings both together in the way that the client's revision has (Session+Asking.swift), or answers
// `.unavailable` by itself. Between the two other requests are served, so `resume` looks at everything anew.

import JSON

/// The outcome of a call that was not refused.
package enum Outcome {
  case done(ToolResult)
  /// `resume` is called at most once, with what the user said; not at all when the call is cancelled. It may ask again.
  case ask(Question, resume: (Answer) throws(ToolFailure) -> Outcome)
}

/// A successful result, complete in both of its forms, since some hosts show only one of them.
package struct ToolResult: Sendable {
  /// Readable text.
  package let text: String
  /// An object that fits the tool's output schema.
  package let structured: JSONValue

  package init(text: String, structured: JSONValue) {
    self.text = text
    self.structured = structured
  }
}

/// A refusal that the model sees: what is wrong and what would be right, or what happened and what to do.
package struct ToolFailure: Error, Equatable, Sendable {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}

/// A yes-or-no question to the user.
package struct Question: Sendable {
  /// Tells this question from others when the answer arrives with the call sent anew: two questions with one key ask for
  /// the very same thing.
  package let key: String
  /// What would happen, in words.
  package let message: String
  /// The label of the tick box, and the line below it.
  package let confirmTitle: String
  package let confirmDescription: String

  package init(key: String, message: String, confirmTitle: String, confirmDescription: String) {
    self.key = key
    self.message = message
    self.confirmTitle = confirmTitle
    self.confirmDescription = confirmDescription
  }
}

/// What became of a question.
package enum Answer: Sendable {
  /// Accepted with the box ticked.
  case confirmed
  /// Accepted with the box empty, declined or dismissed.
  case refused
  /// Asked, and nothing was heard as long as it was worth waiting.
  case unanswered
  /// The user could not be asked.
  case unavailable
}

/// What a tool may know about the call beside its arguments.
package struct CallContext: Sendable {
  /// Whether a question would reach the user.
  package let canAsk: Bool

  package init(canAsk: Bool) {
    self.canAsk = canAsk
  }
}
