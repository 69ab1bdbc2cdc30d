(() => {
  const runs = [...document.querySelectorAll("main")].map((main) => ({
    main,
    rows: [...main.querySelectorAll(".rows [data-moment]")],
    items: [...main.querySelectorAll("ol.moments > li")],
    chosen: -1,
  }));
  const choose = (run, number, scrolls) => {
    const { rows, items, chosen } = run;
    if (number < 0 || number >= items.length) return;
    if (chosen >= 0) {
      rows[chosen].classList.remove("chosen");
      items[chosen].classList.remove("chosen");
      items[chosen].querySelector("details").open = false;
    }
    run.chosen = number;
    rows[number].classList.add("chosen");
    items[number].classList.add("chosen");
    items[number].querySelector("details").open = true;
    if (scrolls !== "list") items[number].scrollIntoView({ block: "nearest" });
    if (scrolls !== "picture") rows[number].scrollIntoView({ block: "nearest" });
  };
  for (const run of runs) {
    run.rows.forEach((row, number) => row.addEventListener("click", () => choose(run, number, "picture")));
    run.items.forEach((item, number) => item.querySelector("summary").addEventListener("click", (event) => {
      event.preventDefault();
      choose(run, number, "list");
    }));
  }
  const all = document.getElementById("all");
  const show = () => runs.forEach((run, number) => (run.main.hidden = number !== (all?.checked ? 1 : 0)));
  all?.addEventListener("change", show);
  show();
  document.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const run = runs.find(({ main }) => !main.hidden);
    choose(run, run.chosen < 0 ? 0 : run.chosen + by);
  });
})();
