(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("script");
  var language = document.getElementById("language");
  language.addEventListener("click", function () {
    var zh = root.classList.toggle("zh");
    root.lang = zh ? "zh" : "en";
    language.textContent = zh ? "English" : "中文";
  });
  if (/^zh/i.test(navigator.language || "")) language.click();

  // A point that is linked to is unfolded.
  function unfold() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    if (target) target.scrollIntoView();
  }
  window.addEventListener("hashchange", unfold);
  unfold();

  function valueOf(row, column, numeric) {
    var cell = row.cells[column];
    if (!numeric) return cell.textContent.trim();
    var n = parseFloat(cell.getAttribute("data-sort"));
    return isNaN(n) ? null : n;
  }
  function compare(a, b) {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    if (typeof a === "number") return a - b;
    return a.localeCompare(b, undefined, { numeric: true });
  }
  document.querySelectorAll("table.sorts").forEach(function (table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach(function (h) { h.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        var body = table.tBodies[0], numeric = head.classList.contains("n");
        Array.prototype.slice.call(body.rows)
          .map(function (row, i) { return { row: row, i: i, v: valueOf(row, column, numeric) }; })
          .sort(function (a, b) {
            // What has no value stays last in both directions.
            var order = compare(a.v, b.v);
            if (down && a.v !== null && b.v !== null) order = -order;
            return order || a.i - b.i;
          })
          .forEach(function (e) { body.appendChild(e.row); });
      });
    });
  });
  document.querySelectorAll("input.filter").forEach(function (input) {
    var table = document.getElementById(input.getAttribute("data-table"));
    var count = input.parentElement.querySelector(".count");
    input.addEventListener("input", function () {
      var words = input.value.toLowerCase().split(/\s+/).filter(Boolean), shown = 0;
      var rows = Array.prototype.slice.call(table.tBodies[0].rows);
      rows.forEach(function (row) {
        var text = row.textContent.toLowerCase();
        row.hidden = !words.every(function (w) { return text.indexOf(w) >= 0; });
        if (!row.hidden) shown++;
      });
      count.textContent = words.length ? shown + " / " + rows.length : "";
    });
  });
})();
