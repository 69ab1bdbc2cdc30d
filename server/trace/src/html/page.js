(() => {
  const rows = [...document.querySelectorAll(".rows [data-moment]")];
  const items = [...document.querySelectorAll("ol.moments > li")];
  let chosen = -1;
  const choose = (number, scrolls) => {
    if (number < 0 || number >= items.length) return;
    if (chosen >= 0) {
      rows[chosen].classList.remove("chosen");
      items[chosen].classList.remove("chosen");
      items[chosen].querySelector("details").open = false;
    }
    chosen = number;
    rows[number].classList.add("chosen");
    items[number].classList.add("chosen");
    items[number].querySelector("details").open = true;
    if (scrolls !== "list") items[number].scrollIntoView({ block: "nearest" });
    if (scrolls !== "picture") rows[number].scrollIntoView({ block: "nearest" });
  };
  rows.forEach((row, number) => row.addEventListener("click", () => choose(number, "picture")));
  items.forEach((item, number) => item.querySelector("summary").addEventListener("click", (event) => {
    event.preventDefault();
    choose(number, "list");
  }));
  document.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(chosen < 0 ? 0 : chosen + by);
  });
})();
