//===- SerializeTest.cpp - Tests of reading and writing -------------------===//
//
// Part of the Transient project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round trips, exact numbers, every message about malformed input with its
// line, and that no text crashes the readers.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

#include "transient/Planner/Serialize.h"
#include "transient/Planner/Solve.h"
#include "transient/Planner/Usage.h"
#include "transient/Planner/Verify.h"

#include <gtest/gtest.h>

using namespace transient::planner;
using namespace transient::planner::testing;

static ProblemFile parsed(const std::string &text) {
  auto file = parseProblem(text, "in");
  EXPECT_TRUE(file) << (file ? "" : file.error().format());
  return file ? std::move(*file) : ProblemFile();
}

struct BadInput {
  std::string text;
  ErrorKind kind;
  std::size_t line;
  const char *says;
};

static void expectRefused(const BadInput &bad, const Error &error) {
  EXPECT_EQ(int(error.kind), int(bad.kind)) << bad.text << error.format();
  EXPECT_EQ(error.line, bad.line) << bad.text << "\n" << error.format();
  EXPECT_EQ(error.file, "in");
  EXPECT_NE(error.message.find(bad.says), std::string::npos) << bad.text << "\n"
                                                             << error.message;
}

TEST(Csv, readsMiniMalloc) {
  ProblemFile file = parsed("id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\n");
  EXPECT_EQ(file.format, Format::Csv);
  ASSERT_EQ(file.problem.buffers.size(), 2u);
  const Buffer &b = file.problem.buffers[0];
  EXPECT_EQ(b.id, "b1");
  EXPECT_EQ(b.bytes, 4u);
  EXPECT_EQ(b.alignment, 1u);
  EXPECT_EQ(b.first, std::vector<NodeId>{0}); // Half-open becomes inclusive.
  EXPECT_EQ(b.last, std::vector<NodeId>{2});
  EXPECT_FALSE(conflicts(file.problem, 0, 1));
}

TEST(Csv, columnsComeInAnyOrderAndMayBeMore) {
  ProblemFile file = parsed(
      "\xef\xbb\xbfsize, alignment ,note,upper,lower,id,usage,space,capacity,"
      "fixed_offset,offset\r\n"
      "\r\n"
      "10,64,hello,3,0,\"a,\"\"b\",storage|copy_src,2,20,128,5\r\n"
      "10,,x,4,3,c,,,,,\r\n");
  const Buffer &b = file.problem.buffers[0];
  EXPECT_EQ(b.id, "a,\"b");
  EXPECT_EQ(b.alignment, 64u);
  EXPECT_EQ(b.usage, std::uint32_t(UsageStorage | UsageCopySrc));
  EXPECT_EQ(b.space, 2u);
  EXPECT_EQ(b.capacity, 20u);
  EXPECT_EQ(b.fixedOffset, 128u);
  EXPECT_EQ(file.problem.buffers[1].alignment, 1u);
  EXPECT_FALSE(file.problem.buffers[1].fixedOffset);
}

TEST(Csv, refusesBadInput) {
  const std::string h = "id,lower,upper,size\n";
  const BadInput inputs[] = {
      {"", ErrorKind::Parse, 1, "empty"},
      {"\n\n", ErrorKind::Parse, 1, "empty"},
      {"id,lower,upper\na,0,1\n", ErrorKind::Parse, 1, "'size'"},
      {"id,id,lower,upper,size\n", ErrorKind::Parse, 1, "repeated"},
      {h + "a,0,1\n", ErrorKind::Parse, 2, "expected 4 fields"},
      {h + "a,0,1,2,3\n", ErrorKind::Parse, 2, "got 5"},
      {h + "a,0,1,2\nb,0,1,-5\n", ErrorKind::Parse, 3, "negative number '-5'"},
      {h + "a,0,1,1.5\n", ErrorKind::Parse, 2, "'1.5'"},
      {h + "a,0,1,1e3\n", ErrorKind::Parse, 2, "'1e3'"},
      {h + "a,0,1,\n", ErrorKind::Parse, 2, "got nothing"},
      {h + "a,0x1,1,2\n", ErrorKind::Parse, 2, "column 'lower'"},
      {h + "a,0,1,18446744073709551616\n", ErrorKind::Overflow, 2, "overflow"},
      {h + "a,5,5,1\n", ErrorKind::BadLifetime, 2, "lower < upper"},
      {h + "a,5,4,1\n", ErrorKind::BadLifetime, 2, "'a'"},
      {h + "a,0,1,2\na,0,1,2\n", ErrorKind::DuplicateId, 3, "'a'"},
      {h + ",0,1,2\n", ErrorKind::EmptyId, 2, "empty id"},
      {h + "\"a,0,1,2\n", ErrorKind::Parse, 2, "closing quote"},
      {h + "\"a\" ,0,1,2\n\"b\"junk,0,4,\"8\"00\n", ErrorKind::Parse, 3,
       "after a closing quote, got 'junk'"},
      {h + "a,0,4,\"8\"00\n", ErrorKind::Parse, 2, "got '00'"},
      {h + "a,0,1,18446744073709551615\nb,0,1,1\n", ErrorKind::Overflow, 3,
       "overflow"},
      {"id,lower,upper,size,alignment\na,0,1,2,3\n", ErrorKind::BadAlignment, 2,
       "power of two"},
      {"id,lower,upper,size,usage\na,0,1,2,sparkle\n", ErrorKind::Parse, 2,
       "'sparkle'"},
      {"id,lower,upper,size,space\na,0,1,2,4294967296\n", ErrorKind::Overflow,
       2, "32 bits"},
      {"id,lower,upper,size,capacity\na,0,1,2,1\n", ErrorKind::CapacityTooSmall,
       2, "'a'"},
  };
  for (const BadInput &bad : inputs) {
    auto file = parseProblem(bad.text, "in");
    ASSERT_FALSE(file) << bad.text;
    expectRefused(bad, file.error());
  }
}

TEST(Csv, planIsTheProblemsRowsWithAnOffset) {
  ProblemFile file = parsed("lower,id,upper,size,offset,mine\n"
                            "0,a,2,8,99,x\n"
                            "1,b,3,8,99,y\n"
                            "0,none,3,0,99,z\n");
  Plan plan = *solve(file.problem);
  std::string text = writePlanCsv(file.csv, plan);
  EXPECT_EQ(text, "lower,id,upper,size,mine,offset\n"
                  "0,a,2,8,x,0\n"
                  "1,b,3,8,y,8\n"
                  "0,none,3,0,z,0\n");
  auto again = parsePlan(text, file.problem, "in");
  ASSERT_TRUE(again) << again.error().format();
  EXPECT_EQ(again->physicalBytes, 16u);
  EXPECT_TRUE(verify(file.problem, *again).empty());
}

TEST(Csv, slotPlansNameThePhysicalBuffer) {
  ProblemFile file = parsed("id,lower,upper,size\na,0,2,8\nb,1,3,8\nc,3,4,8\n");
  SolveOptions options;
  options.strategy = Strategy::Slots;
  Plan plan = *solve(file.problem, options);
  std::string text = writePlanCsv(file.csv, plan);
  EXPECT_EQ(text, "id,lower,upper,size,offset,physical\n"
                  "a,0,2,8,0,0\nb,1,3,8,0,1\nc,3,4,8,0,0\n");
  auto again = parsePlan(text, file.problem, "in");
  ASSERT_TRUE(again);
  EXPECT_TRUE(verify(file.problem, *again).empty());
}

TEST(Csv, refusesBadPlans) {
  Problem p;
  p.buffers = {interval("a", 8, 0, 1), interval("b", 8, 1, 2)};
  const BadInput inputs[] = {
      {"id,size\na,8\n", ErrorKind::Parse, 1, "'offset'"},
      {"id,offset\na,0\n", ErrorKind::MismatchedPlan, 1, "'b'"},
      {"id,offset\na,0\nb,0\nc,0\n", ErrorKind::UnknownBuffer, 4, "'c'"},
      {"id,offset\na,0\na,0\n", ErrorKind::DuplicateId, 3, "'a'"},
      {"id,offset\na,0\nb,-8\n", ErrorKind::Parse, 3, "negative"},
      {"id,offset\na,0\nb,18446744073709551615\n", ErrorKind::Overflow, 3,
       "overflow"},
      {"id,offset,physical\na,0,0\nb,0,2\n", ErrorKind::Parse, 3, "physical"},
  };
  for (const BadInput &bad : inputs) {
    auto plan = parsePlan(bad.text, p, "in");
    ASSERT_FALSE(plan) << bad.text;
    expectRefused(bad, plan.error());
  }
}

TEST(Csv, saysWhatItCannotExpress) {
  Problem p;
  p.order = makeOrder(2, {});
  EXPECT_EQ(writeProblemCsv(p).error().kind, ErrorKind::Layout);
  p.order = nullptr;
  p.buffers = {interval("a", 8, 0, 1), interval("b", 8, 0, ~0ull)};
  EXPECT_NE(writeProblemCsv(p).error().message.find("2^64-1"),
            std::string::npos);
  p.buffers[1] = used("b", 8, {0}, {1, 2});
  EXPECT_EQ(writeProblemCsv(p).error().buffer, "b");
  p.buffers[1] = interval("b", 8, 0, 1);
  p.buffers[1].unused = true;
  EXPECT_FALSE(writeProblemCsv(p));
  p.buffers[1].unused = false;
  p.exclusive = {{0, 1}};
  EXPECT_FALSE(writeProblemCsv(p));
}

TEST(Csv, roundTrip) {
  Problem p;
  p.buffers = {interval("a, \"quoted\"", ~0ull >> 1, 0, ~0ull - 1),
               interval("b", 8, 3, 4)};
  p.buffers[1].alignment = 256;
  p.buffers[1].capacity = 9;
  p.buffers[1].usage = 0x84;
  p.buffers[1].space = 3;
  p.buffers[1].fixedOffset = 512;
  auto text = writeProblemCsv(p);
  ASSERT_TRUE(text);
  ProblemFile file = parsed(*text);
  EXPECT_EQ(writeProblemJson(file.problem), writeProblemJson(p));
  EXPECT_EQ(*writeProblemCsv(file.problem), *text);
}

static const char kProblem[] = R"({
  "schema": "transient.problem.v1",
  "order": {"nodes": 5, "edges": [
    [0, 1], [0, 2], [1, 3], [2, 4]]},
  "buffers": [
    {"id": "A", "bytes": 1024, "capacity": 1500, "alignment": 256, "alignment_source": "target", "usage": ["copy_dst", "storage", "0x1000"], "first": [0], "last": [1, 2]},
    {"id": "B", "bytes": 18446744073709000000, "usage": ["storage"], "usage_required": false, "space": 4, "first": [3], "last": [3], "fixed_offset": 64},
    {"id": "C", "bytes": 7, "first": [], "last": [], "unused": true}
  ],
  "never_share": [
    ["A", "C"]
  ],
  "exclusive": [
    ["A", "B"]
  ]
}
)";

TEST(Json, roundTripIsExact) {
  ProblemFile file = parsed(kProblem);
  EXPECT_EQ(file.format, Format::Json);
  const Problem &p = file.problem;
  EXPECT_EQ(p.buffers[1].bytes, 18446744073709000000ull);
  EXPECT_EQ(p.buffers[0].usage, 0x1088u);
  EXPECT_EQ(p.buffers[0].last, (std::vector<NodeId>{1, 2}));
  EXPECT_TRUE(p.order->precedes(0, 4));
  EXPECT_EQ(p.neverShare, (BufferPairs{{0, 2}}));
  std::string once = writeProblemJson(p);
  ProblemFile again = parsed(once);
  EXPECT_EQ(writeProblemJson(again.problem), once);
}

TEST(Json, acceptsShortForms) {
  ProblemFile file = parsed(
      R"({"schema":"transient.problem.v1","order":"total","name":"x",
          "buffers":[{"id":"a","bytes":1,"first":3,"last":4,"usage":128}]})");
  EXPECT_EQ(file.problem.buffers[0].first, std::vector<NodeId>{3});
  EXPECT_EQ(file.problem.buffers[0].usage, 128u);
}

/// `kProblem` with one piece of text replaced.
static std::string with(const std::string &from, const std::string &to) {
  std::string text = kProblem;
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Json, refusesBadInput) {
  const BadInput inputs[] = {
      {"{", ErrorKind::Parse, 1, "unexpected end of input"},
      {"{\n\n  \"schema\": \"transient.problem.v1\",\n oops }",
       ErrorKind::Parse, 4, "invalid literal"},
      {"{} x", ErrorKind::Parse, 1, "expected end of input"},
      {"[]", ErrorKind::Parse, 1, "'schema'"},
      {"{}", ErrorKind::Parse, 1, "got none"},
      {with(".v1", ".v9"), ErrorKind::Parse, 2, "transient.problem.v9"},
      {with("\"never_share\"", "\"nevershare\""), ErrorKind::Parse, 10,
       "unknown key 'nevershare'"},
      {with("\"space\"", "\"spice\""), ErrorKind::Parse, 7, "'spice'"},
      {with("\"bytes\": 7", "\"bytes\": -7"), ErrorKind::Parse, 8, "got -7"},
      {with("\"bytes\": 7", "\"bytes\": 7.0"), ErrorKind::Parse, 8, "got 7.0"},
      {with("\"bytes\": 7", "\"bytes\": 1e2"), ErrorKind::Parse, 8, "got 1e2"},
      {with("\"bytes\": 7", "\"bytes\": 99999999999999999999"),
       ErrorKind::Overflow, 8, "overflow"},
      {with("\"bytes\": 7", "\"bytes\": \"7\""), ErrorKind::Parse, 8,
       "the string '7'"},
      {with("\"bytes\": 7, ", ""), ErrorKind::Parse, 8, "'bytes'"},
      {with("\"id\": \"C\", ", ""), ErrorKind::Parse, 8, "'id'"},
      {with("\"id\": \"C\"", "\"id\": \"B\""), ErrorKind::DuplicateId, 8,
       "'B'"},
      {with("\"id\": \"C\"", "\"id\": \"\""), ErrorKind::EmptyId, 8, "empty"},
      {with("\"unused\": true", "\"unused\": 1"), ErrorKind::Parse, 8,
       "true or false"},
      {with("\"unused\": true", "\"unused\": false"), ErrorKind::BadLifetime, 8,
       "no first node"},
      {with("\"storage\", \"0x1000\"", "\"stirage\""), ErrorKind::Parse, 6,
       "'stirage'"},
      {with("\"alignment\": 256", "\"alignment\": 3"), ErrorKind::BadAlignment,
       6, "'A'"},
      {with("\"capacity\": 1500", "\"capacity\": 15"),
       ErrorKind::CapacityTooSmall, 6, "'A'"},
      {with("\"space\": 4", "\"space\": 4294967296"), ErrorKind::Overflow, 7,
       "32 bits"},
      {with("\"first\": [3]", "\"first\": [9]"), ErrorKind::UnknownNode, 7,
       "node 9"},
      {with("[2, 4]]", "[2, 5]]"), ErrorKind::Parse, 4, "node 5"},
      {with("\"first\": [3]", "\"first\": -0"), ErrorKind::Parse, 7, "got -0"},
      {with("    [\"A\", \"C\"]", "    [\"C\",\"A\"],\n[\"A\", \"A\"]"),
       ErrorKind::Layout, 12, "twice in a pair"},
      {with("[2, 4]]", "[2]]"), ErrorKind::Parse, 4, "a pair"},
      {with("[2, 4]]", "[4, 2], [2, 4]]"), ErrorKind::CyclicOrder, 3, "cycle"},
      {with("\"nodes\": 5", "\"nodes\": 99999999999"), ErrorKind::Resource, 3,
       "1048576"},
      {with("\"order\": {", "\"order\": \"partial\", \"name\": {"),
       ErrorKind::Parse, 3, "'total'"},
      {with("[\"A\", \"C\"]", "[\"A\", \"Z\"]"), ErrorKind::UnknownBuffer, 11,
       "'Z'"},
      {with("[\"A\", \"C\"]", "[\"A\"]"), ErrorKind::Parse, 11, "two"},
      {with("\"schema\"", "\"name\": \"n\", \"name\": \"m\", \"schema\""),
       ErrorKind::Parse, 2, "repeated"},
      {std::string(100, '['), ErrorKind::Parse, 1, "nesting"},
  };
  for (const BadInput &bad : inputs) {
    auto file = parseProblem(bad.text, "in");
    ASSERT_FALSE(file) << bad.text;
    expectRefused(bad, file.error());
  }
}

TEST(Json, numberBeforeALineBreakIsOnItsOwnLine) {
  auto file = parseProblem("{\"schema\": \"transient.problem.v1\",\n"
                           "\"buffers\": [{\"id\": \"a\", \"first\": 0, "
                           "\"last\": 0, \"bytes\":\n-1\n}]}",
                           "in");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().line, 3u);
}

TEST(Json, readsPosets) {
  ProblemFile file = parsed(
      R"({"name": "m", "ops": 4, "edges": [[0, 1], [0, 2], [1, 3], [2, 3]],
          "buffers": [{"create": 0, "users": [1, 2], "size": 10},
                      {"create": 3, "users": [], "size": 4}]})");
  EXPECT_EQ(file.problem.buffers[0].id, "b0");
  EXPECT_EQ(file.problem.buffers[0].first, std::vector<NodeId>{0});
  EXPECT_EQ(file.problem.buffers[0].last, (std::vector<NodeId>{1, 2}));
  EXPECT_EQ(file.problem.buffers[1].last, std::vector<NodeId>{3});
  const BadInput inputs[] = {
      {"{\"ops\": 1, \"edges\": [], \"buffers\": [],\n\"extra\": 1}",
       ErrorKind::Parse, 2, "unknown key 'extra'"},
      {"{\"ops\": 1, \"edges\": [], \"buffers\": [{\"create\": 0, \"users\": "
       "[0], \"size\": 8,\n\"sise\": 9}]}",
       ErrorKind::Parse, 2, "unknown key 'sise'"},
      {"{\"ops\": 1, \"edges\": [], \"buffers\": [{\"create\": 0, \"users\": "
       "[0], \"size\": 8, \"alignment\": 3}]}",
       ErrorKind::BadAlignment, 1, "alignment 3"},
      {"{\"ops\": 2}", ErrorKind::Parse, 1, "'edges'"},
      {"{\"ops\": 2, \"edges\": [],\n\"buffers\": [{\"create\": 0, \"users\": "
       "[2], \"size\": 1}]}",
       ErrorKind::Parse, 2, "op 2"},
      {"{\"ops\": 2, \"edges\": [[0, 1],\n[1, 0]], \"buffers\": []}",
       ErrorKind::CyclicOrder, 1, "cycle"},
      {"{\"ops\": -2, \"edges\": [], \"buffers\": []}", ErrorKind::Parse, 1,
       "-2"},
  };
  for (const BadInput &bad : inputs) {
    auto broken = parseProblem(bad.text, "in");
    ASSERT_FALSE(broken) << bad.text;
    expectRefused(bad, broken.error());
  }
}

TEST(Json, planRoundTrip) {
  for (Strategy strategy : {Strategy::Arena, Strategy::Slots}) {
    RandomDag dag = randomDag(9, 12, 12, 20, 2);
    dag.problem.buffers[3].unused = true;
    dag.problem.buffers[4].space = 2;
    SolveOptions options;
    options.strategy = strategy;
    Plan plan = *solve(dag.problem, options);
    std::string text = writePlanJson(dag.problem, plan);
    auto again = parsePlan(text, dag.problem, "in");
    ASSERT_TRUE(again) << again.error().format();
    EXPECT_EQ(writePlanJson(dag.problem, *again), text);
    EXPECT_TRUE(verify(dag.problem, *again).empty());
  }
}

TEST(Json, refusesBadPlans) {
  Problem p;
  p.buffers = {interval("a", 8, 0, 1), interval("b", 8, 1, 2)};
  std::string good = writePlanJson(p, *solve(p));
  auto changed = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from << good;
    return text.replace(at, from.size(), to);
  };
  const BadInput inputs[] = {
      {changed("plan.v1", "plan.v2"), ErrorKind::Parse, 2, "plan.v2"},
      {changed("\"buffer\": \"b\"", "\"buffer\": \"c\""),
       ErrorKind::UnknownBuffer, 12, "'c'"},
      {changed("\"buffer\": \"b\"", "\"buffer\": \"a\""),
       ErrorKind::DuplicateId, 12, "'a'"},
      {changed("\"offset\": 8", "\"offset\": -8"), ErrorKind::Parse, 12, "-8"},
      {changed("\"offset\": 8, ", ""), ErrorKind::Parse, 12, "'offset'"},
      {changed("\"id\": 0", "\"id\": 1"), ErrorKind::Parse, 8, "its place"},
      {changed("\"assignments\"", "\"assigned\""), ErrorKind::Parse, 10,
       "'assigned'"},
      {changed("\"optimal\": true", "\"optimal\": 3"), ErrorKind::Parse, 6,
       "true or false"},
  };
  for (const BadInput &bad : inputs) {
    auto plan = parsePlan(bad.text, p, "in");
    ASSERT_FALSE(plan) << bad.text;
    expectRefused(bad, plan.error());
  }
  // A plan without a row for a buffer parses, and is refused by the check.
  auto missing = parsePlan(changed("{\"buffer\": \"a\", \"physical\": 0, "
                                   "\"offset\": 0, \"bytes\": 8},",
                                   ""),
                           p, "in");
  ASSERT_TRUE(missing);
  EXPECT_FALSE(verify(p, *missing).empty());
}

TEST(Json, claimsOfAPlanAreChecked) {
  Problem p;
  p.buffers = {interval("a", 8, 0, 1), interval("b", 8, 1, 2)};
  std::string text = writePlanJson(p, *solve(p));
  std::size_t at = text.find("\"physical\": 16");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 14, "\"physical\": 15");
  auto plan = parsePlan(text, p, "in");
  ASSERT_TRUE(plan);
  auto violations = verify(p, *plan);
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations[0].rule, Violation::Rule::Totals);
}

// Every prefix and every one-byte change of good input is handled.
TEST(Serialize, damagedTextNeverCrashes) {
  const std::string csv = "id,lower,upper,size,alignment\n\"a\",0,3,4,8\nb,1,2,"
                          "18446744073709551615,1\n";
  for (const std::string &good : {std::string(kProblem), csv}) {
    Lcg lcg(1);
    for (std::size_t cut = 0; cut <= good.size(); ++cut)
      (void)bool(parseProblem(good.substr(0, cut)));
    for (int k = 0; k != 3000; ++k) {
      std::string text = good;
      text[lcg.below(text.size())] = char(lcg.below(256));
      (void)bool(parseProblem(text));
      Problem p;
      p.buffers = {interval("a", 8, 0, 1)};
      (void)bool(parsePlan(text, p));
    }
  }
}

TEST(Usage, namesAndBits) {
  EXPECT_EQ(usageNames(0x84),
            (std::vector<std::string>{"copy_src", "storage"}));
  EXPECT_EQ(usageNames(0x400), (std::vector<std::string>{"0x400"}));
  EXPECT_EQ(usageBit("query_resolve"), 0x200u);
  EXPECT_FALSE(usageBit("nothing"));
}
