//! Names, declarations, references, colours.

use expect_test::{Expect, expect};
use lockstep_syntax::{Language, Parse};

use super::{PROGRAM, at_cursor, shown};
use crate::icet::{Meaning, definition, highlights, names, references, tokens};

/// Every name with its role and what it means: a kind and the line of the declaration.
fn check_names(source: &str, expected: &Expect) {
    let parse = Parse::new(Language::Icet, source);
    let mut lines = String::new();
    for name in names(&parse) {
        let meaning = match name.meaning {
            Meaning::Declared { range, kind } => format!("{kind:?} of line {}", parse.text().line_of(range.start()) + 1),
            Meaning::Builtin => "builtin".to_owned(),
            Meaning::Unknown => "?".to_owned(),
        };
        lines += &format!("{} {:?}: {meaning}\n", shown(&parse, name.range), name.role);
    }
    expected.assert_eq(&lines);
}

#[test]
fn every_name_has_its_role_and_meaning() {
    check_names(
        PROGRAM,
        &expect![[r#"
        1:5 Nodes Declare: Set of line 1
        2:5 Trusted Declare: Set of line 2
        2:20 Nodes Type: Set of line 1
        3:6 Load Declare: Type of line 3
        3:14 free Declare: Field of line 3
        3:25 used Declare: Field of line 3
        5:6 Reply Declare: Enum of line 5
        5:14 Busy Declare: EnumElement of line 5
        5:20 Ready Declare: EnumElement of line 5
        5:26 load Declare: Part of line 5
        5:32 Load Type: Type of line 3
        5:38 since Declare: Part of line 5
        8:9 Ask Declare: Message of line 8
        8:13 from_whom Declare: Part of line 8
        8:29 round Declare: Part of line 8
        9:9 Say Declare: Message of line 9
        9:13 reply Declare: Part of line 9
        9:20 Reply Type: Enum of line 5
        10:7 limit Declare: Constant of line 10
        11:11 served Declare: SharedGhost of line 11
        11:23 Nodes Type: Set of line 1
        13:9 server Declare: Process of line 13
        14:7 reply Declare: Variable of line 14
        14:14 Reply Type: Enum of line 5
        15:7 best Declare: Variable of line 15
        15:13 Load Type: Type of line 3
        16:7 since Declare: Variable of line 16
        17:13 heard Declare: Ghost of line 17
        17:24 Nodes Type: Set of line 1
        19:10 limit Read: Constant of line 10
        19:19 i Declare: Index of line 19
        20:9 n Declare: Member of line 20
        20:14 Nodes Read: Set of line 1
        20:25 Asked Declare: DoneSet of line 20
        21:17 known Declare: Claim of line 21
        21:32 m Declare: Bound of line 21
        21:35 Nodes Type: Set of line 1
        21:45 m Read: Bound of line 21
        21:50 Asked Read: DoneSet of line 20
        21:60 m Read: Bound of line 21
        21:62 asked Read: Variable of line 39
        21:70 i Read: Index of line 19
        23:12 Ask Send: Message of line 8
        23:16 server Read: Process of line 13
        23:24 i Read: Index of line 19
        23:30 n Read: Member of line 20
        24:12 Say Receive: Message of line 9
        24:16 reply Write: Variable of line 14
        24:28 n Read: Member of line 20
        25:14 reply Read: Variable of line 14
        26:14 Ready Case: EnumElement of line 5
        26:20 best Write: Variable of line 15
        26:26 since Write: Variable of line 16
        27:11 heard Write: Ghost of line 17
        27:19 heard Read: Ghost of line 17
        27:28 n Read: Member of line 20
        28:11 best Write: Variable of line 15
        28:16 free Write: Field of line 3
        28:23 best Read: Variable of line 15
        28:28 used Read: Field of line 3
        31:11 best Write: Variable of line 15
        31:19 free Read: Field of line 3
        31:29 used Read: Field of line 3
        31:36 limit Read: Constant of line 10
        38:9 node Declare: Process of line 38
        38:17 Nodes Type: Set of line 1
        39:7 asked Declare: Variable of line 39
        40:7 who Declare: Variable of line 40
        43:10 Ask Receive: Message of line 8
        43:17 asked Write: Variable of line 39
        43:29 who Write: Variable of line 40
        43:37 server Read: Process of line 13
        44:9 node Read: Process of line 38
        44:17 Trusted Read: Set of line 2
        44:28 asked Read: Variable of line 39
        44:36 limit Read: Constant of line 10
        45:12 Say Send: Message of line 9
        45:16 Ready Read: EnumElement of line 5
        45:23 free Read: Field of line 3
        45:30 asked Read: Variable of line 39
        45:37 used Read: Field of line 3
        45:55 who Read: Variable of line 40
        47:12 Say Send: Message of line 9
        47:16 Busy Read: EnumElement of line 5
        47:25 who Read: Variable of line 40
        52:9 all Declare: Claim of line 52
        52:14 card Read: builtin
        52:19 server Read: Process of line 13
        52:26 heard Read: Ghost of line 17
        52:36 card Read: builtin
        52:41 Nodes Read: Set of line 1
        52:51 server Read: Process of line 13
        52:58 best Read: Variable of line 15
        52:63 free Read: Field of line 3
    "#]],
    );
}

#[test]
fn the_variables_of_processes_are_found_by_type() {
    check_names(
        "set S;\nset T subset S;\nprocess s in S { var x: int; var next: S; var all: map[int, (T, set[S])]; }\n\
         process p { var x: int; }\n\
         sequential {\n  var q: T;\n  pick q in T;\n  q.x = p.x;\n  q.next.x = 1;\n  q.all[p.x].0.x = 2;\n  \
         for t in T + S { t.x = 3; }\n  for t in q.all[0].1 * {q} { t.next.next.x = t.y; }\n}\n\
         assume (set (s: S) :: s.x > 0) == S;\n",
        &expect![[r#"
            1:5 S Declare: Set of line 1
            2:5 T Declare: Set of line 2
            2:14 S Type: Set of line 1
            3:9 s Declare: Process of line 3
            3:14 S Type: Set of line 1
            3:22 x Declare: Variable of line 3
            3:34 next Declare: Variable of line 3
            3:40 S Type: Set of line 1
            3:47 all Declare: Variable of line 3
            3:62 T Type: Set of line 2
            3:69 S Type: Set of line 1
            4:9 p Declare: Process of line 4
            4:17 x Declare: Variable of line 4
            6:7 q Declare: Variable of line 6
            6:10 T Type: Set of line 2
            7:8 q Write: Variable of line 6
            7:13 T Read: Set of line 2
            8:3 q Read: Variable of line 6
            8:5 x Write: Variable of line 3
            8:9 p Read: Process of line 4
            8:11 x Read: Variable of line 4
            9:3 q Read: Variable of line 6
            9:5 next Read: Variable of line 3
            9:10 x Write: Variable of line 3
            10:3 q Read: Variable of line 6
            10:5 all Read: Variable of line 3
            10:9 p Read: Process of line 4
            10:11 x Read: Variable of line 4
            10:16 x Write: Variable of line 3
            11:7 t Declare: Member of line 11
            11:12 T Read: Set of line 2
            11:16 S Read: Set of line 1
            11:20 t Read: Member of line 11
            11:22 x Write: Variable of line 3
            12:7 t Declare: Member of line 12
            12:12 q Read: Variable of line 6
            12:14 all Read: Variable of line 3
            12:26 q Read: Variable of line 6
            12:31 t Read: Member of line 12
            12:33 next Read: Variable of line 3
            12:38 next Read: Variable of line 3
            12:43 x Write: Variable of line 3
            12:47 t Read: Member of line 12
            12:49 y Read: ?
            14:14 s Declare: Bound of line 14
            14:17 S Type: Set of line 1
            14:23 s Read: Bound of line 14
            14:25 x Read: Variable of line 3
            14:35 S Read: Set of line 1
        "#]],
    );
}

#[test]
fn the_fields_of_records_are_found_by_type() {
    check_names(
        "type R = (a: int, b: (c: int, d: int));\ntype Q = R;\nenum E { One(r: Q), Two }\nmessage M(r: R, i: int);\n\
         const k: Q = (a = 1, b = (c = 2, d = 3));\nprocess p {\n  var r: Q;\n  var e: E;\n  r.b.c = k.b.d;\n  \
         r = ((a = 1, b = r.b));\n  e = One((a = 0, b = k.b));\n  send M((a = 1, b = (c = 1, d = 1)), 2) to p;\n  \
         (r.a, r.b) = (1, (c = 1, d = 2));\n  assert r == (a = 1, x = 2) && (a = 1).a == 1;\n}\n",
        &expect![[r#"
            1:6 R Declare: Type of line 1
            1:11 a Declare: Field of line 1
            1:19 b Declare: Field of line 1
            1:23 c Declare: Field of line 1
            1:31 d Declare: Field of line 1
            2:6 Q Declare: Type of line 2
            2:10 R Type: Type of line 1
            3:6 E Declare: Enum of line 3
            3:10 One Declare: EnumElement of line 3
            3:14 r Declare: Part of line 3
            3:17 Q Type: Type of line 2
            3:21 Two Declare: EnumElement of line 3
            4:9 M Declare: Message of line 4
            4:11 r Declare: Part of line 4
            4:14 R Type: Type of line 1
            4:17 i Declare: Part of line 4
            5:7 k Declare: Constant of line 5
            5:10 Q Type: Type of line 2
            5:15 a Read: Field of line 1
            5:22 b Read: Field of line 1
            5:27 c Read: Field of line 1
            5:34 d Read: Field of line 1
            6:9 p Declare: Process of line 6
            7:7 r Declare: Variable of line 7
            7:10 Q Type: Type of line 2
            8:7 e Declare: Variable of line 8
            8:10 E Type: Enum of line 3
            9:3 r Write: Variable of line 7
            9:5 b Write: Field of line 1
            9:7 c Write: Field of line 1
            9:11 k Read: Constant of line 5
            9:13 b Read: Field of line 1
            9:15 d Read: Field of line 1
            10:3 r Write: Variable of line 7
            10:9 a Read: Field of line 1
            10:16 b Read: Field of line 1
            10:20 r Read: Variable of line 7
            10:22 b Read: Field of line 1
            11:3 e Write: Variable of line 8
            11:7 One Read: EnumElement of line 3
            11:12 a Read: Field of line 1
            11:19 b Read: Field of line 1
            11:23 k Read: Constant of line 5
            11:25 b Read: Field of line 1
            12:8 M Send: Message of line 4
            12:11 a Read: Field of line 1
            12:18 b Read: Field of line 1
            12:23 c Read: Field of line 1
            12:30 d Read: Field of line 1
            12:45 p Read: Process of line 6
            13:4 r Write: Variable of line 7
            13:6 a Write: Field of line 1
            13:9 r Write: Variable of line 7
            13:11 b Write: Field of line 1
            13:21 c Read: Field of line 1
            13:28 d Read: Field of line 1
            14:10 r Read: Variable of line 7
            14:16 a Read: Field of line 1
            14:23 x Read: ?
            14:34 a Read: ?
            14:41 a Read: ?
        "#]],
    );
}

#[test]
fn local_names_end_with_their_scope() {
    check_names(
        "set S;\nprocess p {\n  for s in S { skip; }\n  assert s == p;\n  repeat i as i { assert i == 0; }\n  \
         assert (forall (x: S) :: x in S) && x in {};\n  rounds as r { parallel q in {r} { assert q in D; } }\n}\n\
         process c in S { assert c == q; }\nassume c in S;\n",
        &expect![[r#"
            1:5 S Declare: Set of line 1
            2:9 p Declare: Process of line 2
            3:7 s Declare: Member of line 3
            3:12 S Read: Set of line 1
            4:10 s Read: ?
            4:15 p Read: Process of line 2
            5:10 i Read: ?
            5:15 i Declare: Index of line 5
            5:26 i Read: Index of line 5
            6:19 x Declare: Bound of line 6
            6:22 S Type: Set of line 1
            6:28 x Read: Bound of line 6
            6:33 S Read: Set of line 1
            6:39 x Read: ?
            7:13 r Declare: Index of line 7
            7:26 q Declare: Member of line 7
            7:32 r Read: Index of line 7
            7:44 q Read: Member of line 7
            7:49 D Read: ?
            9:9 c Declare: Process of line 9
            9:14 S Type: Set of line 1
            9:25 c Read: Process of line 9
            9:30 q Read: ?
            10:8 c Read: ?
            10:13 S Read: Set of line 1
        "#]],
    );
}

#[test]
fn what_is_left_of_broken_text_has_its_names() {
    check_names(
        "set S;\nprocess p in S {\n  var x: int;\n  x = x + ;\n  send to p;\n  x = 1;\n\nmessage M(;\nprocess q { send M to",
        &expect![[r#"
            1:5 S Declare: Set of line 1
            2:9 p Declare: Process of line 2
            2:14 S Type: Set of line 1
            3:7 x Declare: Variable of line 3
            4:3 x Write: Variable of line 3
            4:7 x Read: Variable of line 3
            8:9 M Declare: Message of line 8
            9:9 q Declare: Process of line 9
        "#]],
    );
}

#[test]
fn nothing_but_names_has_a_definition() {
    let check = |source: &str, expected: Option<(&str, &str)>| {
        let (parse, offset) = at_cursor(source);
        let found = definition(&parse, offset).map(|(here, there)| (shown(&parse, here), shown(&parse, there)));
        let found = found.as_ref().map(|(here, there)| (here.as_str(), there.as_str()));
        assert_eq!(found, expected, "{source}");
    };
    check("message M;\nprocess p { send $0M to p; }", Some(("2:18 M", "1:9 M")));
    check("message M;\nprocess p { send M$0 to p; }", Some(("2:18 M", "1:9 M")));
    check("message M;\nprocess p { send M to $0p; }", Some(("2:23 p", "2:9 p")));
    check("message M;\nprocess p { se$0nd M to p; }", None);
    check("message M;\nprocess p { send N$0 to p; }", None);
    check("assume card$0({}) == 0;", None);
    check("$0", None);
}

#[test]
fn references_are_declaration_reads_and_writes() {
    let check = |source: &str, expected: &Expect| {
        let (parse, offset) = at_cursor(source);
        let found: Vec<String> =
            references(&parse, offset).iter().map(|(range, kind)| format!("{} {kind:?}\n", shown(&parse, *range))).collect();
        expected.assert_eq(&found.concat());
        let same: Vec<String> =
            highlights(&parse, offset).iter().map(|one| format!("{} {:?}\n", shown(&parse, one.range), one.kind)).collect();
        assert_eq!(found, same);
    };
    check(
        &PROGRAM.replacen("message Say", "message $0Say", 1),
        &expect![[r#"
        9:9 Say Declaration
        24:12 Say Read
        45:12 Say Write
        47:12 Say Write
    "#]],
    );
    check(
        &PROGRAM.replacen("best.free", "best.free$0", 1),
        &expect![[r#"
        3:14 free Declaration
        28:16 free Write
        31:19 free Read
        45:23 free Read
        52:63 free Read
    "#]],
    );
    check(
        &PROGRAM.replacen("m.asked", "m.as$0ked", 1),
        &expect![[r#"
        21:62 asked Read
        39:7 asked Declaration
        43:17 asked Write
        44:28 asked Read
        45:30 asked Read
    "#]],
    );
    check(
        &PROGRAM.replacen("var best", "var $0best", 1),
        &expect![[r#"
        15:7 best Declaration
        26:20 best Write
        28:11 best Write
        28:23 best Read
        31:11 best Write
        52:58 best Read
    "#]],
    );
    check("process p { skip$0; }", &expect![[""]]);
}

#[test]
fn names_are_coloured_by_meaning() {
    let parse = Parse::new(
        Language::Icet,
        "set S;\nmessage M(x: S);\nconst k: int;\nprocess p {\n  var v: int;\n  v = k + card(S);\n  for s in S { send M(s) to p; }\n}\n\
         invariant low: p.v < unknown;\n",
    );
    let mut lines = String::new();
    for token in tokens(&parse) {
        let flags = [(token.is_declaration, "declaration"), (token.is_constant, "constant"), (token.is_write, "write")];
        let flags: Vec<&str> = flags.iter().filter(|(holds, _)| *holds).map(|(_, name)| *name).collect();
        lines += &format!("{} {:?} {}\n", shown(&parse, token.range), token.kind, flags.join(" "));
    }
    expect![[r#"
        1:5 S Module declaration constant
        2:9 M Event declaration
        2:11 x Field declaration
        2:14 S Module constant
        3:7 k Variable declaration constant
        4:9 p Machine declaration constant
        5:7 v Variable declaration
        6:3 v Variable write
        6:7 k Variable constant
        6:11 card Function constant
        6:16 S Module constant
        7:7 s Parameter declaration constant
        7:12 S Module constant
        7:21 M Event 
        7:23 s Parameter constant
        7:29 p Machine constant
        9:11 low State declaration
        9:16 p Machine constant
        9:18 v Variable 
    "#]]
    .assert_eq(&lines);
}

#[test]
fn deep_nesting_needs_no_stack() {
    let deep = 20_000;
    let sources = [
        format!("assume {}x{};", "(".repeat(deep), ")".repeat(deep)),
        format!("assume {}x{} == {{}};", "{".repeat(deep), "}".repeat(deep)),
        format!("assume x{};", " + x".repeat(deep)),
        format!("process p {{ {}skip;{} }}", "atomic { ".repeat(deep), " }".repeat(deep)),
        format!("process p {{ x{} = 1; }}", ".y".repeat(deep)),
        format!("process p {{ var p: int; {}x{} = 1; }}", "(_, ".repeat(deep), ")".repeat(deep)),
        format!("type T = {}int{};", "set[".repeat(deep), "]".repeat(deep)),
        format!("assume {}true;", "forall (x: int) :: ".repeat(deep)),
        format!("{}{}", "(".repeat(deep), "}".repeat(deep)),
        format!("{}{}", "{".repeat(deep), ")".repeat(deep)),
    ];
    for source in sources {
        let parse = Parse::new(Language::Icet, source.as_str());
        names(&parse);
        super::super::completions(&parse, parse.text().len());
    }
    // A type that is its own definition.
    let parse = Parse::new(Language::Icet, "type A = B; type B = A; set S subset S; const a: A; const s: S; assume a.x == s.x;");
    assert_eq!(names(&parse).iter().filter(|name| name.meaning == Meaning::Unknown).count(), 2);
}
