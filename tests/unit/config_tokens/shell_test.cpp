#include "tests/unit/config_tokens/support.hpp"
#include "tools/config/shell/arithmetic.hpp"
#include "tools/config/shell/interpreter.hpp"
#include "tools/config/shell/words.hpp"

/// The shell machinery by itself: which words the commands of a script get.
namespace spillway::config::shell {
namespace {

/// The calls of a script, one a line: words in brackets, `?` before what is not certain.
std::vector<std::string> calls(const std::string& text) {
  const Text file(text);
  const Lines lines(text);
  const Script script = parse_script(file);
  EXPECT_FALSE(script.problem) << script.problem->what;
  std::vector<std::string> out;
  Interpreter interpreter(lines, [&](const Call& call) {
    std::string line;
    for (const auto& word : call.words)
      line += (line.empty() ? "" : " ") + std::string(uncertain(word) ? "?" : "") + "[" + text_of(word) + "]";
    out.push_back(line);
  });
  interpreter.run(script);
  return out;
}

struct Case {
  const char* text;
  std::vector<std::string> calls;
};

class ShellWords : public testing::TestWithParam<Case> {};

TEST_P(ShellWords, AreThoseOfBash) { EXPECT_EQ(calls(GetParam().text), GetParam().calls) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(Quoting, ShellWords,
                         testing::Values(Case{"x a'b c'\"d e\"\\ f", {"[x] [ab cd e f]"}}, Case{"x '' \"\"", {"[x] [] []"}},
                                         Case{"x a \\\n  b # c\n", {"[x] [a] [b]"}}, Case{"x \"a\\\nb\" 'c\nd'", {"[x] [ab] [c\nd]"}},
                                         Case{"x $'a\\nb' \"\\$A\\q\"", {"[x] [a\nb] [$A\\q]"}},
                                         Case{"x 2>&1 >log </dev/null a", {"[x] [a]"}},
                                         Case{"x a; y b & z c | w d", {"[x] [a]", "[y] [b]", "[z] [c]", "[w] [d]"}},
                                         Case{"x a#b #c", {"[x] [a#b]"}}, Case{"x a\r\ny\r\n", {"[x] [a]", "[y]"}}));

INSTANTIATE_TEST_SUITE_P(
    Variables, ShellWords,
    testing::Values(Case{"A=1\nx $A ${A} \"$A$A\" '$A'", {"[x] [1] [1] [11] [$A]"}},
                    Case{"A='p q'\nx $A \"$A\" a${A}b", {"[x] [p] [q] [p q] [ap] [qb]"}},
                    Case{"A=1; A=\"$A 2\"; A+=' 3'\nx $A", {"[x] [1] [2] [3]"}},
                    Case{"A=(1 '2 3')\nA+=(4)\nx \"${A[@]}\" ${A[1]} ${#A[@]}", {"[x] [1] [2 3] [4] [2] [3] [3]"}},
                    Case{"A=()\nx \"${A[@]}\" ${A[@]} b", {"[x] [b]"}}, Case{"x ${N:-4} ${N-5} ${M:=6} $M", {"[x] [4] [5] [6] [6]"}},
                    Case{"A=\nx \"${A:-4}\" \"${A-5}\" ${A:+6} \"${A+7}\"", {"[x] [4] [] [7]"}},
                    Case{"x $TP \"$TP\"", {"[x] ?[$TP] ?[$TP]"}},
                    Case{"x --a=$TP $(date) `date` $1", {"[x] ?[--a=$TP] ?[$(date)] ?[`date`] ?[$1]"}},
                    Case{"N=4\nx $((N*2+1)) $(( ${N} ** 2 )) $((Q))", {"[x] [9] [16] ?[$((Q))]"}},
                    Case{"A=/p/run.tar.gz\nx ${A##*/} ${A%.*} ${A%%.*} ${A#/p} ${A/run/x} ${#A}",
                         {"[x] [run.tar.gz] [/p/run.tar] [/p/run] [/run.tar.gz] [/p/x.tar.gz] [13]"}},
                    Case{"A=${B:-${C:-3}}\nx $A", {"[x] [3]"}}, Case{"A=(a b)\nA[1]=c\nA[3]=d\nx ${A[@]}", {"[x] [a] [c] [d]"}},
                    Case{"A=x B=y cmd $A", {"[cmd] ?[$A]"}},
                    Case{"declare -a A=(1 2)\nexport B=3\nlocal C=4\nx ${A[*]} $B $C", {"[x] [1] [2] [3] [4]"}},
                    Case{"A=1\nunset A\nx $A", {"[x]"}}, Case{"read -r -d '' A <<END\n a b\n c\nEND\nx $A", {"[x] [a] [b] [c]"}},
                    Case{"A=$(cat <<END\na $Q\nEND\n)\nx $A", {"[x] [a] ?[$Q]"}}));

INSTANTIATE_TEST_SUITE_P(Control, ShellWords,
                         testing::Values(Case{"A=1\nif [ \"$A\" = 1 ]; then x a; else x b; fi", {"[x] [a]"}},
                                         Case{"A=1\nif [[ $A == 2 ]]; then x a; elif [[ $A -ge 1 && -n $A ]]; then x b; fi", {"[x] [b]"}},
                                         Case{"if [ -z \"$NOT\" ]; then A=1; fi\nx $A", {"[x] [1]"}},
                                         Case{"A=1\nif [ $Q = 1 ]; then A=2; fi\nx $A", {"[x] ?[1 or 2]"}},
                                         Case{"A=(1)\nif [ $Q = 1 ]; then A+=(2 3); fi\nA+=(4)\nx ${A[@]}", {"[x] [1] ?[2] ?[3] [4]"}},
                                         Case{"A=1\nif [ $Q = 1 ]; then A=\"$A 2\"; fi\nx $A", {"[x] [1] ?[2]"}},
                                         Case{"if [ $Q = 1 ]; then A=5; else A=5; fi\nx $A", {"[x] [5]"}},
                                         Case{"if [ $Q = 1 ]; then exit 1; else A=5; fi\nx $A", {"[x] [5]"}},
                                         Case{"if [ $# -lt 1 ]; then exit; fi\nx a", {"[x] [a]"}}, Case{"exit 0\nx a", {}},
                                         Case{"[ -n \"$Q\" ] && A=1 || A=2\nx $A", {"[x] [2]"}},
                                         Case{"cd /d && x a || exit 1\nx b", {"[cd] [/d]", "[x] [a]", "[x] [b]"}},
                                         Case{"for m in a 'b c'; do A+=($m); done\nx ${A[@]}", {"[x] [a] [b] [c]"}},
                                         Case{"for t in $LIST; do x $t; done", {"[x] ?[$t]"}},
                                         Case{"while [ $# -gt 0 ]; do A=9; shift; done\nA=${A:-1}\nx $A", {"[x] [1]"}},
                                         Case{"f() { x \"$1\" $#; }\nf a b\nf 'c d'", {"[x] [a] [2]", "[x] [c d] [1]"}},
                                         Case{"function g { x $1; }\nx b", {"[x] [b]", "[x] ?[$1]"}},
                                         Case{"M=big\ncase $M in\n small) A=1 ;;\n big|huge) A=2 ;;\n *) A=3 ;;\nesac\nx $A", {"[x] [2]"}},
                                         Case{"case $M in a) A=1;; *) A=2;; esac\nx $A", {"[x] ?[1 or 2]"}},
                                         Case{"(A=1; x $A)\nx ${A:-0}", {"[x] [1]", "[x] [0]"}}, Case{"{ A=1; }\nx $A", {"[x] [1]"}},
                                         Case{"for ((i=0;i<2;i++)); do x $i; done", {"[x] [0]", "[x] [1]"}},
                                         Case{"for ((i=0;i<N;i++)); do x $i; done", {"[x] ?[$i]"}},
                                         Case{"if ((2 > 1)); then x a; fi", {"[x] [a]"}}, Case{"f() { f; }\nf\nx a", {}}));

INSTANTIATE_TEST_SUITE_P(Nested, ShellWords,
                         testing::Values(Case{"A=1\nbash -c \"python t.py $A\"", {"[bash] [-c] [python t.py 1]", "[python] [t.py] [1]"}},
                                         Case{"srun bash -c 'python t.py \\\n a'",
                                              {"[srun] [bash] [-c] [python t.py \\\n a]", "[python] [t.py] [a]"}},
                                         Case{"A=1\ncat <<EOF > r.sh\npython t.py $A \\$B\nEOF\n", {"[cat]", "[python] [t.py] [1] ?[$B]"}},
                                         Case{"export A=1\nbash <<'EOF'\npython t.py $A\nEOF\n", {"[bash]", "[python] [t.py] [1]"}},
                                         Case{"A=1\nbash <<'EOF'\npython t.py $A\nEOF\n", {"[bash]", "[python] [t.py] ?[$A]"}},
                                         Case{"C='python t.py a'\neval $C", {"[python] [t.py] [a]"}},
                                         Case{"C='python t.py a'\n$C b", {"[python] [t.py] [a] [b]"}},
                                         Case{"cat <<-E\n\tpython t.py\n\tE\nx", {"[cat]", "[python] [t.py]", "[x]"}}));

/// What bash 5 gives to the command, word for word; where a script leaves it open, the word is marked.
INSTANTIATE_TEST_SUITE_P(
    Changes, ShellWords,
    testing::Values(
        Case{"P=1; let P=2; ((P++)); ((P+=1)); let \"P = P * 2\" P-=1\nx $P $((P++)) $P", {"[x] [7] [7] [8]"}},
        Case{"P=1\n((P=$Q))\nlet T=Q+1\nx $P $T", {"[x] ?[$P] ?[$T]"}},
        Case{"typeset -i K=3*2; K+=1; ((K<<=1))\nx $K $((K>10?1:0)) $((2#101)) $((010))", {"[x] [14] [1] [5] [8]"}},
        Case{"printf -v P %d 2; printf -v N '%02d-%s' 7 ab; printf -v O '%x' 9\nx $P $N $O", {"[x] [2] [07-ab] ?[$O]"}},
        Case{"P=1; declare -n r=P; r=4\nf() { local -n o=$1; o=8; }\nT=1; f T\nx $P $T", {"[x] [4] [8]"}},
        Case{"P=1; read P; read -p 'p ' T; mapfile -t L <f\nx $P $T $L", {"[x] ?[$P] ?[$T] ?[$L]"}},
        Case{"IFS=, read -r -a M <<< 'a,b,c d'\nread A B <<< '1 2 3'\nx \"${M[@]}\" $A \"$B\"", {"[x] [a] [b] [c d] [1] [2 3]"}},
        Case{"P=1; unset -v P; x ${P:-none}", {"[x] [none]"}}, Case{"readonly P=1\nP=2\nx $P", {"[x] [1]"}},
        Case{"f() { local P=9 T; T=2; U=3; g; }\ng() { P=$((P+1)); }\nP=1; T=1; f\nx $P $T $U", {"[x] [1] [1] [3]"}},
        Case{"P=1; echo 2 | read P; echo | while read l; do P=9; done; (P=5); { P=6; } &\nP=7 &\nx $P", {"[x] [1]"}},
        Case{"set -- a 'b c'; shift\nx \"$@\" $#", {"[x] [b c] [1]"}},
        Case{"if [ $Q = 1 ]; then set -- a; else set -- b; fi\nx $1", {"[x] ?[$1]"}},
        Case{"m() { shift; x $1 ${2:-d} \"$@\" \"${@:2}\"; }\nm a b 'c d'\nm", {"[x] [b] [c] [d] [b] [c d] [c d]", "[x] [d]"}},
        Case{"m() { x ${1:-4} \"$@\"; }\nm \"$@\"", {"[x] [4]"}}, Case{"for a in \"$@\"; do P=$a; done\nx ${P:-1}", {"[x] [1]"}},
        Case{"while getopts 'p:' o; do P=$OPTARG; done\nx ${P:-2}", {"[x] [2]"}},
        Case{"select P in 1 2; do break; done\nx $P", {"[x] ?[$P]"}}, Case{"P=1\ntrap 'P=2' ERR\ntrap 'P=3' EXIT\nx $P", {"[x] ?[$P]"}},
        Case{"declare -A T=([s]=2 [l]=8); M=l; T[xl]=16\nx ${T[$M]} ${T[xl]} ${#T[@]} ${T[@]}", {"[x] [8] [16] [3] ?[${T[@]}]"}},
        Case{"A=([0]=a [1]=b); B=([2]=x); B[1]=$Q\nx ${A[@]} ${B[0]}", {"[x] [a] [b] ?[$B]"}},
        Case{"A=a:b; IFS=:; x $A; IFS=' '; x ${A//:/ } ${A^^} ${A:2:1}", {"[x] [a] [b]", "[x] [a] [b] [A:B] [b]"}},
        Case{"x --a={1,2} {1..3} '{1,2}' {1}", {"[x] ?[--a={1,2}] ?[{1..3}] [{1,2}] [{1}]"}},
        Case{"export P; P=2; T=1; export -n P\nbash -c 'python t.py $P $T'",
             {"[bash] [-c] [python t.py $P $T]", "[python] [t.py] ?[$P] ?[$T]"}},
        Case{"A=5 bash -c 'python t.py $A $1' _ 2", {"[bash] [-c] [python t.py $A $1] [_] [2]", "[python] [t.py] [5] [2]"}},
        Case{"exec x a\nx b", {"[exec] [x] [a]"}}));

INSTANTIATE_TEST_SUITE_P(Paths, ShellWords,
                         testing::Values(Case{"i=0; while [ $i -lt 3 ]; do i=$((i+1)); [ $i = 2 ] && continue; A+=$i; done\nx $A $i",
                                              {"[x] [13] [3]"}},
                                         Case{"P=2; while :; do P=$((P*2)); [ $P -ge 16 ] && break; done\nx $P", {"[x] [16]"}},
                                         Case{"while true; do P=$((P+1)); done\nx $P", {"[x] ?[$P]"}},
                                         Case{"A=1; for i in $L; do if [ $A = 1 ]; then A=2; else A=1; fi; done\nx $A", {"[x] ?[1 or 2]"}},
                                         Case{"n=0; while read l; do n=$((n+1)); done <f\nx $n", {"[x] ?[0 or 1 or 2]"}},
                                         Case{"f() { if [ $Q = 1 ]; then P=1; return; fi; P=4; }\nf\nx $P", {"[x] ?[1 or 4]"}},
                                         Case{"P=1; for i in a b; do [ $Q = $i ] && break; P=2; done\nx $P", {"[x] ?[1 or 2]"}},
                                         Case{"f() { [ $1 = q ] && return 1; P=4; }\nif f q; then P=1; else P=3; fi\nx $P", {"[x] [3]"}},
                                         Case{"case a in a) X=1 ;;& b) X=2 ;; *) Y=3 ;& c) Z=4 ;; esac\nx $X $Y $Z", {"[x] [1] [3] [4]"}},
                                         Case{"if [ -z \"$D\" ]; then exit 1; fi\n[ -n \"$T\" ] || exit 1\nx $D $T", {"[x] ?[$D] ?[$T]"}},
                                         Case{"if [ $Q = 1 ]; then F='--f'; fi\nbash -c \"python t.py $F\"\neval \"python t.py '$F'\"",
                                              {"[bash] [-c] ?[python t.py --f]", "[python] [t.py] ?[--f]", "[python] [t.py] ?[--f]"}},
                                         Case{"if [ $Q = 1 ]; then A='P=2;'; fi\nP=1\neval \"$A\"\nx $P", {"?[P=2;]", "[x] [1]"}},
                                         Case{"X=1; eval \"Y=$X; Z=\\$Y\"\nx $Z", {"[x] [1]"}}));

/// What is taken for granted on the way, `SUBJECT: AS WHAT`, and what is not followed.
std::vector<std::string> taken(const std::string& text) {
  const Text file(text);
  const Lines lines(text);
  Interpreter interpreter(lines, [](const Call&) {});
  interpreter.run(parse_script(file));
  std::vector<std::string> out;
  for (const auto& assumption : interpreter.environment().assumptions) out.push_back(assumption.subject + ": " + assumption.taken);
  for (const auto& note : interpreter.notes()) out.push_back("not followed: " + note.what);
  return out;
}

TEST(ShellAssumptions, AreSaidOnceEach) {
  using testing::ElementsAre;
  EXPECT_THAT(taken("x ${P:-1} ${P:-2}\n[ -n \"$P\" ] && x"), ElementsAre("P: not set by the script; taken as 1"));
  EXPECT_THAT(taken("[[ $Q ]] || x\nx ${R:+a} ${S-}"),
              ElementsAre("Q: not set by the script; taken as unset", "R: not set by the script; taken as unset",
                          "S: not set by the script; taken as empty"));
  EXPECT_THAT(taken("x ${1:-4} ${HOME:-/r}\nm() { x $1; }\nm \"$@\""), ElementsAre("$@: the script is started without words of its own"));
  EXPECT_THAT(taken("P=1\nsource a.sh\n. b.sh\neval \"$S\""),
              ElementsAre("source a.sh: it changes none of the values set before it", ". b.sh: it changes none of the values set before it",
                          "eval $S: it changes none of the values set before it", "not followed: source a.sh", "not followed: . b.sh",
                          "not followed: eval $S"));
  EXPECT_THAT(taken("P=1; unset P\n[ -n \"$P\" ] && x\nx ${P:-2}"), ElementsAre());
  EXPECT_THAT(taken("readonly P=1\nP=2"), ElementsAre("not followed: an assignment to P"));
}

TEST(ShellArithmetic, CountsAsBashDoes) {
  const auto value = [](const char* text) {
    return evaluate_arithmetic(text, [](std::string_view name) { return name == "n" ? std::optional<std::int64_t>(8) : std::nullopt; });
  };
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * -3"), -9);
  EXPECT_EQ(value("2 ** 3 ** 2"), 512);
  EXPECT_EQ(value("$n / 3 % 2 == 0 ? n : 1"), 8);
  EXPECT_EQ(value("0x10 - ${n}"), 8);
  for (const char* bad : {"", "1 +", "1 / 0", "m", "9223372036854775807 + 1", "2 ** 100", "n = 4", "n++", "((((1)"})
    EXPECT_EQ(value(bad), std::nullopt) << bad;
  EXPECT_EQ(value(std::string(10'000, '(').c_str()), std::nullopt);
}

TEST(ShellPlaces, FollowTheWordToWhereItStands) {
  const std::string text = "A=(\n  --one\n  \"--two\"\n)\nB=\"x \\\n    --three\"\nB=\"$B --four\"\nrun ${A[@]} $B\n";
  const Text file(text);
  const Lines lines(text);
  std::vector<std::string> places;
  Interpreter interpreter(lines, [&](const Call& call) {
    for (const auto& word : call.words) places.push_back(text_of(word) + " " + place(token_of(word, call.offset, lines).origin));
  });
  interpreter.run(parse_script(file));
  EXPECT_EQ(places, (std::vector<std::string>{"run 8:1", "--one 2:3", "--two 3:4", "x 5:4", "--three 6:5", "--four 7:7"}));
}

TEST(ShellPlaces, SurviveAHeredoc) {
  const std::string text = "T=4\ncat > r.sh <<EOF\npython t.py \\\n  --tp $T --x\nEOF\n";
  const Text file(text);
  const Lines lines(text);
  std::vector<std::string> places;
  Interpreter interpreter(lines, [&](const Call& call) {
    for (const auto& word : call.words) places.push_back(text_of(word) + " " + place(token_of(word, call.offset, lines).origin));
  });
  interpreter.run(parse_script(file));
  EXPECT_EQ(places, (std::vector<std::string>{"cat 2:1", "python 3:1", "t.py 3:8", "--tp 4:3", "4 1:3", "--x 4:11"}));
}

TEST(ShellBounds, HoldAgainstHostileScripts) {
  std::string bomb = "A=aaaaaaaa\n";
  for (int i = 0; i < 60; ++i) bomb += "A=$A$A\n";
  EXPECT_THAT(calls(bomb + "x $A"), testing::ElementsAre(testing::StartsWith("[x] ?[$A")));
  EXPECT_NO_FATAL_FAILURE(calls("f() { f; f; f; }\nf\n"));
  std::string loops;
  for (int i = 0; i < 8; ++i) loops += "for a in 1 2 3 4 5 6 7 8 9 10; do ";
  loops += "x;";
  for (int i = 0; i < 8; ++i) loops += " done;";
  EXPECT_LE(calls(loops).size(), 100'000u);
  std::string appends, others;
  for (int i = 0; i < 5'000; ++i) appends += "A=\"$A --x\"\n", others += "A+=\" --x\"\n";
  EXPECT_THAT(calls(appends + "x $A"), testing::ElementsAre(testing::StartsWith("[x] ?[$A]")));
  EXPECT_EQ(calls("A=\n" + others + "x $A")[0].size(), 3 + 5'000 * std::string(" [--x]").size());
  EXPECT_EQ(calls("A=\n" + appends + "x $A")[0].size(), 3 + 5'000 * std::string(" [--x]").size());
  std::string doublings = "A=--x\n";
  for (int i = 0; i < 18; ++i) doublings += "A=\"$A $A\"\n";
  EXPECT_THAT(calls(doublings + "x $A"), testing::ElementsAre(testing::StartsWith("[x] ?[$A]")));
}

TEST(ShellProblems, AreFoundWithTheirPlace) {
  const auto problem = [](const std::string& text) -> std::string {
    const Text file(text);
    const Script script = parse_script(file);
    return script.problem ? script.problem->what + " " + place(Lines(text).origin(script.problem->offset)) : "";
  };
  EXPECT_EQ(problem("x\n'a"), "a single quote that is not closed 2:1");
  EXPECT_EQ(problem("x \"a $B"), "a double quote that is not closed 1:3");
  EXPECT_EQ(problem("x $(a"), "an expansion that is not closed 1:3");
  EXPECT_EQ(problem("A=(1 2"), "an array that is not closed 1:3");
  EXPECT_EQ(problem("if x; then y"), "an `if` without its `fi` 1:1");
  EXPECT_EQ(problem("x\nfor a in b; do y"), "a loop without its `done` 2:1");
  EXPECT_EQ(problem(std::string(10'000, '(')), "blocks nested too deeply 1:41");
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += "$(";
  EXPECT_EQ(problem("x " + deep), "an expansion that is not closed 1:3");
  EXPECT_EQ(problem("fi\ndone\n}\n)\nx"), "");
}

TEST(ShellQuoting, GivesTheWordBack) {
  for (const char* word : {"a", "", "a b", "it's", "$A", "a\nb", "[x,y]", "~", "*"}) {
    const auto words = split_words(quoted_word(word), 10);
    ASSERT_TRUE(words.ok());
    ASSERT_EQ(words->size(), 1u);
    EXPECT_EQ(words->front().text, word);
    EXPECT_FALSE(words->front().unknown);
  }
  EXPECT_EQ(split_words("a b c", 2).error().code, "too-many-values");
  EXPECT_EQ(split_words("a 'b", 9).error().code, "bad-syntax");
}

}  // namespace
}  // namespace spillway::config::shell
