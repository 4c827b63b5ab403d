// How the teams stand.

/** Where the page of a team is. */
function teamLink(name) {
  return element("a", { class: "name", href: `#equipe=${encodeURIComponent(name)}`, title: name }, name);
}

function faultCount(line) {
  return line.faults.reduce((sum, [, count]) => sum + count, 0);
}

/** What went wrong with a team, in words. */
function faultWords(line) {
  const kinds = line.faults.map(([kind, count]) => `${count} × ${say.faultKinds[kind] ?? kind}`);
  if (line.malformed) kinds.push(say.malformed(line.malformed));
  if (line.missed) kinds.push(say.deadlines(line.missed));
  return kinds.join(", ");
}

function rankingSection(ranking, isOver) {
  const title = ranking.provisional ? say.provisional : isOver ? say.final : say.ranking;
  const head = element("h2", {}, title);
  if (!ranking.rows.length) return [head, element("p", { class: "soft" }, say.noGame)];
  const scale = new Scale(ranking.rows.flatMap(({ rating: value, interval }) => [value, ...(interval ?? [])]));
  const columns = [
    ["", "rank", say.rank],
    [say.team, "team"],
    [say.rating, "figure", say.intervalTitle],
    [scale.axis(), "room", say.intervalTitle],
    ...(ranking.provisional ? [] : [[say.chance, "figure tiny", say.bestTitle]]),
    [say.games, "figure minor"],
    [say.points, "figure", say.pointsTitle],
    [say.meanRank, "figure minor", say.meanRankTitle],
    [say.firsts, "figure minor", say.firstsTitle],
    [say.faults, "figure tiny", say.faultsTitle],
    [say.milliseconds, "figure minor", say.thinkingTitle],
  ];
  const row = (line) => {
    const value = rating(line.rating);
    const ends = line.interval?.map(rating).join(" – ") ?? "";
    const count = faultCount(line);
    const contents = [
      [`${line.rank}`],
      [teamLink(line.name)],
      [element("b", {}, value), element("small", {}, ` ${ends}`)],
      [intervalPlot(scale, line.rating, line.interval, say.plotTitle(line.name, value, ends))],
      ...(ranking.provisional ? [] : [[chance(line.best)]]),
      [number(line.games)],
      [number(line.points, 1)],
      [number(line.mean_rank, 2)],
      [number(line.firsts, Number.isInteger(line.firsts) ? 0 : 1)],
      [element("span", { class: count ? "faulty" : null, title: faultWords(line) }, number(count))],
      [number(line.thinking[0], 1)],
    ];
    const cells = contents.map((children, index) => cell(columns[index], ...children));
    return element("tr", { class: line.rank === 1 ? "first" : null }, ...cells);
  };
  return [head, ...certainty(ranking), wide(table(columns, ranking.rows.map(row), { class: "figures ranking" })), element("p", { class: "help" }, ranking.provisional ? say.howProvisional : say.how)];
}

/** How sure the first place is, and so many others that may have it. */
function certainty(ranking, most = 5) {
  const candidates = ranking.rows.filter(({ best }) => best >= 0.01).sort((a, b) => b.best - a.best);
  if (ranking.provisional || !candidates.length) return [];
  const [first, ...others] = candidates;
  const [name, rest] = say.bestIs(first.name, chance(first.best));
  const list = others.slice(0, most).map((line) => `${line.name} ${chance(line.best)}`).join(", ");
  const sentence = element("p", { class: "certainty" }, element("b", {}, name), rest, list ? say.stillPossible(list) : "");
  return [sentence];
}

/** What holds for every game. */
function conditionsSection(about, games) {
  const facts = [
    [say.format, `${say.formats[about.format] ?? about.format}, ${say.rounds.toLowerCase()}${say.colon}${about.rounds}`],
    [say.games, number(games)],
    [say.seatings, number(about.seatings)],
    [say.maps, about.maps.join(", ")],
    [say.rules, about.rules],
    [say.turns, number(about.turns)],
    [say.deadline, milliseconds(about.deadline)],
    [say.houseBot, about.house],
    [say.seed, about.seed],
  ];
  const list = facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
  const notes = about.notes.map((note) => element("p", { class: "help" }, note[LANGUAGE]));
  return [element("h2", {}, say.conditions), element("dl", { class: "facts" }, ...list), ...notes, element("p", { class: "help" }, say.draws)];
}
