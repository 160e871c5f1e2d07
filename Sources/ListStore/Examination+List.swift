// The list itself: is it there, can it be read and written, and what is in it.

import JSON
import Platform
import ShoppingList

extension Examination {
  /// - Parameter newestVersion: the id of the newest version in its history that can be restored.
  func examineList(in folder: ListFolder, newestVersion: String?) -> Finding {
    let path = folder.listPath
    let found: FoundList?
    do {
      found = try folder.readList()
    } catch {
      return unreadable(error, in: folder)
    }
    guard let found else {
      guard let newestVersion else {
        return Finding(
          "list", .fine, "\(path) is not there yet: the list is empty, and the first change makes it.")
      }
      return Finding(
        "list", .trouble, "\(path) is missing, and there was a list: its history has versions of it.",
        remedy: "get-bananas restore \(newestVersion) --file \(shellQuoted(path))")
    }
    let document: Document
    do {
      document = try Document(decoding: found.bytes)
    } catch {
      return invalid(error, in: folder, newestVersion: newestVersion)
    }
    let items = document.items
    let facts: [(key: String, value: JSONValue)] = [
      ("schemaVersion", JSONValue(1)), ("items", JSONValue(items.count)),
      ("bought", JSONValue(items.filter(\.checked).count)), ("sections", JSONValue(document.sections.count)),
      ("bytes", JSONValue(found.bytes.count)), ("style", JSONValue(style(of: found.bytes))),
      ("revision", JSONValue(document.revision)), ("mode", JSONValue(String(found.status.mode, radix: 8))),
    ]
    do {
      try folder.mustBeWritable(found)
    } catch {
      return Finding(
        "list", .trouble, error.message, remedy: "chmod u+w \(shellQuoted(path))", facts: facts)
    }
    return Finding(
      "list", .fine,
      "\(path) can be read and written: version 1, \(items.count) item\(items.count == 1 ? "" : "s") (\(items.filter(\.checked).count) "
        + "bought) in \(document.sections.count) section\(document.sections.count == 1 ? "" : "s"), "
        + "\(found.bytes.count) bytes, \(style(of: found.bytes)).", facts: facts)
  }

  private func unreadable(_ error: StoreError, in folder: ListFolder) -> Finding {
    let path = folder.listPath
    let word = shellQuoted(path)
    switch error.kind {
    case .notAFile:
      return Finding("list", .trouble, error.message, remedy: "mv \(word) \(shellQuoted(path + ".moved"))")
    case .notDownloaded:
      // The program that syncs the folder must do it; only Apple's can be asked from here.
      return Finding(
        "list", .trouble, error.message, remedy: CurrentProcess.isOnApple ? "brctl download \(word)" : nil)
    default:
      var mode: UInt32?
      do { mode = try folder.status(of: folder.listName)?.mode } catch {}
      return Finding("list", .trouble, error.message, remedy: remedy(for: error.errno, of: path, mode: mode))
    }
  }

  private func invalid(_ error: DocumentError, in folder: ListFolder, newestVersion: String?) -> Finding {
    let word = shellQuoted(folder.listPath)
    let said = folder.error(.invalid(error)).message
    switch error.kind {
    case .version:
      // Nothing here can read it; an older version of it would lose what the newer program knows.
      return Finding("list", .trouble, said, remedy: "get-bananas --version")
    default:
      guard let newestVersion else {
        return Finding("list", .trouble, said, remedy: "\"${EDITOR:-vi}\" \(word)")
      }
      return Finding(
        "list", .trouble, said,
        remedy:
          "mv \(word) \(shellQuoted(folder.listPath + ".broken")) && get-bananas restore \(newestVersion) --file \(word)"
      )
    }
  }

  /// How the file is written, in words.
  private func style(of bytes: [UInt8]) -> String {
    let root: JSONValue
    do { root = try JSONValue(parsing: bytes) } catch { return "no JSON" }
    let style = JSONStyle.detected(in: root)
    if style == .app { return "written as the app does" }
    let lines =
      style.indent.map { $0.hasPrefix("\t") ? "indented by tabs" : "indented by \($0.count)" }
      ?? "on one line"
    return lines + (style.newline == "\r\n" ? " with CR LF" : "")
      + (style.sortsKeys ? ", members sorted" : "")
  }
}
