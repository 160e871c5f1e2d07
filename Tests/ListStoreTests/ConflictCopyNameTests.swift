import Testing

@testable import ListStore

@Suite struct ConflictCopyNameTests {
  @Test(arguments: [
    // Syncthing
    "BananaList.sync-conflict-20261130-204112-ABCDEFG.json", "BananaList.sync-conflict-20261130-204112-A2C4E6G.json",
    // Dropbox, in several languages, with names in them
    "BananaList (conflicted copy 2026-11-30).json", "BananaList (Anna's conflicted copy 2026-11-30).json",
    "BananaList (Anna's conflicted copy 2026-11-30 (1)).json",
    "BananaList (In Konflikt stehende Kopie von Jörg 2026-11-30).json",
    "BananaList (copie en conflit de René 2026-11-30).json", "BananaList (Annaの競合コピー 2026-11-30).json",
    "BananaList (конфликтующая копия Анна 2026-11-30).json", "BananaList (Anna 的冲突副本 2026-11-30).json",
    "BananaList (Kopia powodująca konflikt od (Ania) 2026-01-01).json",
    // Nextcloud and ownCloud
    "BananaList (conflicted copy 2026-11-30 204112).json", "BananaList (conflicted copy anna 2026-11-30 204112).json",
    "BananaList_conflict-20261130-204112.json",
    // Resilio, pCloud, rclone, OneDrive on Linux
    "BananaList.Conflict.json", "BananaList.Conflict1.json", "BananaList.Conflict12.json",
    "BananaList [conflicted].json",
    "BananaList.conflict1.json", "BananaList.conflict2.json", "BananaList-laptop-safeBackup-0001.json",
    "BananaList-my-old-laptop-safeBackup-0042.json",
  ]) func taken(name: String) {
    #expect(ConflictCopyName.judge(name, ofList: "BananaList.json") == .taken)
  }

  @Test(arguments: [
    "BananaList 2.json", "BananaList 13.json", "BananaList (1).json", "BananaList (22).json", "BananaList-laptop.json",
    "BananaList-backup.json", "BananaList-DESKTOP-1A2B3C.json", "BananaList (2026-11-30).json",
    "BananaList-laptop-safeBackup-1.json", "BananaList-safeBackup-0001.json",
  ]) func ambiguous(name: String) {
    #expect(ConflictCopyName.judge(name, ofList: "BananaList.json") == .ambiguous)
  }

  @Test(arguments: [
    "BananaList.json", "BananaList.json.lock", "BananaList", "BananaList.json.bak", "BananaListe.json",
    "bananaList 2.json",
    "Other.json", "Other (conflicted copy 2026-11-30).json", "My BananaList.json", "BananaList copy.json",
    "BananaList (copy).json", "BananaList old.json", "BananaList2.json", "BananaList .json", "BananaList-.json",
    "BananaList ().json", "BananaList.sync-conflict-20261130-204112-ABCDEF.json",
    "BananaList.sync-conflict-20261130-204112-abcdefg.json", "BananaList.sync-conflict-2026113-204112-ABCDEFG.json",
    "BananaList (conflicted copy 2026-13-30).json", "BananaList (conflicted copy 2026-11-32).json",
    "BananaList (conflicted copy 12026-11-30).json", "BananaList (conflicted copy 2026-11-301).json",
    "BananaList (conflicted copy).json", "BananaList (conflicted copy 2026-11-30.json",
    "BananaList_conflict-20261130.json", "BananaList.conflicted.json", "BananaList.Conflicts.json",
    "BananaList [conflict].json", ".BananaList.json.01234567.0123456789abcdef.unfinished.tmp",
    "BananaList 2.json.icloud",
  ]) func nothingOfTheKind(name: String) {
    #expect(ConflictCopyName.judge(name, ofList: "BananaList.json") == nil)
  }

  @Test func otherNamesOfLists() {
    #expect(ConflictCopyName.judge("list.Conflict", ofList: "list") == .taken)
    #expect(ConflictCopyName.judge("list 2", ofList: "list") == .ambiguous)
    #expect(ConflictCopyName.judge("a.b.Conflict.json", ofList: "a.b.json") == .taken)
    #expect(ConflictCopyName.judge("a.Conflict.b.json", ofList: "a.b.json") == nil)
    #expect(ConflictCopyName.judge(".list.Conflict1", ofList: ".list") == .taken)
    #expect(ConflictCopyName.judge("Einkäufe (Konflikt 2026-11-30).json", ofList: "Einkäufe.json") == .taken)
  }
}
