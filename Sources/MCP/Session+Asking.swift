// Calls of tools, and the questions that they put to the user on their way.
//
// A tool that asks gives the question and how to go on. How the question gets to the user, and the answer back, depends on
// the era of the call:
//
//     legacy     →  tools/call 7            ← elicitation/create "ask-1"          (ours; 7 stays open, others are served)
//                →  the answer to "ask-1"   ← the answer to 7
//     modern     →  tools/call 7            ← 7: input_required, with the question under its key
//                →  tools/call 8, the same with inputResponses under that key     ← the answer to 8
//     neither    the tool is told `.unavailable`, and decides without its user
//
// A legacy question waits ten minutes. When it ends without an answer (the time is over, the client cancels the call or
// begins a new handshake), the client is told by notifications/cancelled, so that it can take its dialog away; an answer
// that comes later finds nothing and is ignored. A modern one does not wait: the retry runs the tool from its beginning,
// and the answer counts only for a question with the same key, that is, for the very same thing.
//
// A call may ask again, when what it asked about changed meanwhile, but not for ever (`questionLimit`).

import JSON

/// The questions that clients have not answered, and what is remembered of those that were.
struct OpenQuestions {
  /// A legacy question of ours, and the call that waits for it.
  struct Waiting {
    /// The id of our request.
    let id: String
    let call: Session.Call
    let resume: (Answer) throws(ToolFailure) -> Outcome
    /// On the session's clock, in nanoseconds.
    let deadline: UInt64
  }

  /// The most that wait at once: who leaves so many open shows them to nobody.
  static let limit = 64

  /// In the order in which they were asked, which is that of their deadlines.
  var waiting: [Waiting] = []
  /// How many were asked.
  var asked = 0
  var rounds = QuestionRounds()
}

extension Session {
  /// A call of a tool that was begun.
  struct Call {
    /// The id of the request, and what identifies it.
    let id: JSONValue
    let identity: RequestID
    let revision: Revision
    let tool: String
    /// What a modern call and its retries have in common: the tool and its arguments.
    let subject: [UInt8]
    /// The answers that came with a modern call; nil when none did.
    let responses: JSONValue?
    /// Whether a question would reach the user; no longer when it was asked often enough.
    var canAsk: Bool
    /// How many questions it had.
    var questions = 0
  }

  /// How often one call may ask: once, and again at most three times.
  private static let questionLimit = 4

  // MARK: - Calling

  func call(
    _ request: Message.Request, from client: ClientCapabilities, in revision: Revision
  ) throws(RPCError) -> Reply {
    guard let name = request.params["name"]?.string else {
      throw .invalidParams("tools/call needs name as a string")
    }
    guard let tool = definition.tool(named: name) else {
      let known = definition.tools.map(\.name).joined(separator: ", ")
      throw .invalidParams("unknown tool \(excerpt(of: name)); known are \(known)")
    }
    let arguments = try callArguments(request.params["arguments"])
    let responses = revision.era == .modern ? try inputResponses(request.params["inputResponses"]) : nil
    let call = Call(
      id: request.id, identity: request.identity, revision: revision, tool: name,
      subject: QuestionRounds.subject(tool: name, arguments), responses: responses,
      canAsk: client.showsForms && revision >= .june2025)
    // Without answers it is no retry: the counting begins anew.
    if responses == nil { questions.rounds.forget(call.subject) }
    return try run(call) { () throws(ToolFailure) in
      try tool.call(arguments, context: CallContext(canAsk: call.canAsk))
    }
  }

  /// The object of arguments. Some hosts send it as the JSON text that the model wrote.
  private func callArguments(_ value: JSONValue?) throws(RPCError) -> JSONValue {
    guard let value, !value.isNull else { return .object([]) }
    let object = FieldReading.unquoted(value)
    guard object.kind == .object else { throw .invalidParams("arguments must be an object") }
    return object
  }

  private func inputResponses(_ value: JSONValue?) throws(RPCError) -> JSONValue? {
    guard let value, !value.isNull else { return nil }
    guard value.kind == .object else { throw .invalidParams("inputResponses must be an object") }
    return value
  }

  /// Runs a step of a call, and on from there as far as it gets without its user.
  private func run(_ call: Call, _ step: () throws(ToolFailure) -> Outcome) throws(RPCError) -> Reply {
    var call = call
    var outcome = Result(catching: step)
    while true {
      switch outcome {
      case .success(.done(let result)):
        questions.rounds.forget(call.subject)
        return .result(called(result, in: call.revision))
      case .failure(let failure):
        questions.rounds.forget(call.subject)
        return .result(refused(failure, in: call.revision))
      case .success(.ask(let question, let resume)):
        switch try put(question, of: &call, resume) {
        case .answer(let answer):
          outcome = Result { () throws(ToolFailure) in try resume(answer) }
        case .reply(let reply): return reply
        }
      }
    }
  }

  // MARK: - Asking

  /// What becomes of a question at once.
  private enum Step {
    /// The call goes on with it.
    case answer(Answer)
    /// The call stops here for now.
    case reply(Reply)
  }

  private func put(
    _ question: Question, of call: inout Call, _ resume: @escaping (Answer) throws(ToolFailure) -> Outcome
  ) throws(RPCError) -> Step {
    call.questions += 1
    if call.questions > Self.questionLimit {
      guard call.canAsk else {
        log("tool \(call.tool) went on asking after \(Self.questionLimit) answers")
        throw .internalError("the call could not be finished")
      }
      call.canAsk = false
    }
    guard call.canAsk else { return .answer(.unavailable) }
    guard call.revision.era == .modern else {
      guard questions.waiting.count < OpenQuestions.limit else {
        call.canAsk = false
        return .answer(.unavailable)
      }
      return .reply(.later([ask(question, of: call, resume)]))
    }
    if let response = call.responses?[question.key] {
      guard let answer = Answer(response) else {
        throw .invalidParams("inputResponses has no valid action under \(question.key)")
      }
      return .answer(answer)
    }
    guard questions.rounds.begin(call.subject) <= Self.questionLimit else {
      call.canAsk = false
      return .answer(.unavailable)
    }
    return .reply(.result(inputRequired(question, in: call.revision)))
  }

  private func inputRequired(_ question: Question, in revision: Revision) -> JSONValue {
    let request: JSONValue = ["method": "elicitation/create", "params": question.form(in: revision)]
    return result(
      [(.inputRequests, .object([(question.key, request)]))], type: "input_required", in: revision)
  }

  /// Our request to the client; the call waits from now on.
  private func ask(
    _ question: Question, of call: Call, _ resume: @escaping (Answer) throws(ToolFailure) -> Outcome
  ) -> [UInt8] {
    questions.asked += 1
    // Not a number: a client that mistakes requests of ours for answers would take it for one of its own.
    let id = "ask-\(questions.asked)"
    questions.waiting.append(
      OpenQuestions.Waiting(id: id, call: call, resume: resume, deadline: monotonic() + patience))
    return Frame.request("elicitation/create", id: id, params: question.form(in: call.revision))
  }

  /// The client's answer to a question of ours. One that no question waits for is ignored.
  func take(_ response: Message.Response) -> [[UInt8]] {
    let index = questions.waiting.firstIndex { RequestID(JSONValue($0.id)) == response.identity }
    guard let index else { return [] }
    let question = questions.waiting.remove(at: index)
    // An error means that the client cannot ask after all; a result that is none of ours is not a yes.
    return goOn(question, with: response.result.map { Answer($0) ?? .refused } ?? .unavailable)
  }

  private func goOn(
    _ question: OpenQuestions.Waiting, with answer: Answer, mayAskAgain: Bool = true
  ) -> [[UInt8]] {
    var call = question.call
    call.canAsk = mayAskAgain && answer != .unavailable
    return frames(for: call.id) { () throws(RPCError) in
      try run(call) { () throws(ToolFailure) in try question.resume(answer) }
    }
  }

  // MARK: - Ends without an answer

  /// When `endOverdueQuestions` has something to do, on the session's clock; nil while no question waits.
  package var deadline: UInt64? { questions.waiting.first?.deadline }

  /// Ends the questions that have waited long enough, and answers their calls.
  package func endOverdueQuestions() -> [[UInt8]] {
    let now = monotonic()
    let overdue = questions.waiting.prefix { $0.deadline <= now }
    questions.waiting.removeFirst(overdue.count)
    return overdue.flatMap { end($0, because: "it was not answered in time") }
  }

  func endAllQuestions(because reason: String) -> [[UInt8]] {
    let ended = questions.waiting
    questions.waiting = []
    return ended.flatMap { end($0, because: reason) }
  }

  private func end(_ question: OpenQuestions.Waiting, because reason: String) -> [[UInt8]] {
    [withdrawal(of: question, because: reason)] + goOn(question, with: .unanswered, mayAskAgain: false)
  }

  /// Answers the calls that wait, at the end of input: nobody is left to withdraw a question from.
  func answerAllQuestions() -> [[UInt8]] {
    let ended = questions.waiting
    questions.waiting = []
    return ended.flatMap { goOn($0, with: .unanswered, mayAskAgain: false) }
  }

  /// Ends the question of a call that the client has cancelled. The call is not answered.
  func cancelQuestion(ofCall id: RequestID) -> [[UInt8]] {
    let ended = questions.waiting.filter { $0.call.identity == id }
    questions.waiting.removeAll { $0.call.identity == id }
    return ended.map { withdrawal(of: $0, because: "the call was cancelled") }
  }

  private func withdrawal(of question: OpenQuestions.Waiting, because reason: String) -> [UInt8] {
    Frame.notification(
      "notifications/cancelled",
      params: .object(
        in: question.call.revision,
        [(.cancelledRequestID, JSONValue(question.id)), (.cancelledReason, JSONValue(reason))]))
  }
}

extension Question {
  /// The params of `elicitation/create`: a form with one box to tick. It has no default, since clients fill it in.
  fileprivate func form(in revision: Revision) -> JSONValue {
    let confirm: JSONValue = [
      "type": "boolean", "title": JSONValue(confirmTitle), "description": JSONValue(confirmDescription),
    ]
    return .object(
      in: revision,
      [
        (.elicitMode, "form"), (.elicitMessage, JSONValue(message)),
        (.elicitSchema, ["type": "object", "properties": ["confirm": confirm], "required": ["confirm"]]),
      ])
  }
}

extension Answer {
  /// What a client's ElicitResult says; nil when it is none.
  fileprivate init?(_ result: JSONValue) {
    switch result["action"]?.string {
    case "accept": self = result["content"]?["confirm"]?.bool == true ? .confirmed : .refused
    case "decline", "cancel": self = .refused
    default: return nil
    }
  }
}
