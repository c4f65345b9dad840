/** The style sheet of the sandbox's pages: no image, font or script, so that the pages load nothing else. */
export const style = `
:root { color-scheme: light dark; --ground: #f3f4f6; --card: #ffffff; --ink: #111827; --soft: #4b5563; --line: #e5e7eb; --accent: #1d4ed8; --good: #15803d; --bad: #b91c1c; --wait: #92400e; --code: #f3f4f6; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0b0f17; --card: #151b26; --ink: #f3f4f6; --soft: #a8b0bd; --line: #2a3342; --accent: #8ab4ff; --good: #5fd38a; --bad: #ff9a94; --wait: #f2c063; --code: #0b0f17; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
.wrap { max-width: 64rem; margin: 0 auto; padding: 1.25rem; }
header.top { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: baseline; margin-bottom: 1.25rem; }
header.top h1 { margin: 0; font-size: 1.375rem; line-height: 1.25; }
nav.places { display: flex; gap: 0.25rem; }
nav.places a { padding: 0.3rem 0.8rem; border-radius: 0.5rem; text-decoration: none; font-weight: 600; }
nav.places a[aria-current] { background: var(--card); color: var(--ink); box-shadow: inset 0 0 0 1px var(--line); }
header.top p { margin: 0 0 0 auto; color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.875rem; overflow: hidden; margin-bottom: 1rem; }
.pad { padding: 1.25rem; }
ol.mails { list-style: none; margin: 0; padding: 0; }
ol.mails li + li { border-top: 1px solid var(--line); }
ol.mails a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.125rem 1rem; padding: 0.85rem 1.25rem; color: inherit; text-decoration: none; }
ol.mails a:hover { background: var(--ground); }
.subject { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.who { color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 0.9375rem; }
time, .size { color: var(--soft); font-size: 0.875rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
ol.mails time { justify-self: end; }
dd time { color: inherit; font-size: inherit; }
.badges { display: flex; flex-wrap: wrap; gap: 0.375rem; justify-content: flex-end; }
.badge { font-size: 0.75rem; line-height: 1.5; font-weight: 600; padding: 0 0.5rem; border: 1px solid currentColor; border-radius: 1rem; color: var(--soft); white-space: nowrap; }
.badge.status { background: currentColor; } .badge.status > *, .badge.status { -webkit-text-fill-color: var(--card); }
.badge.good { color: var(--good); } .badge.bad { color: var(--bad); } .badge.wait { color: var(--wait); }
.pager { display: flex; justify-content: space-between; gap: 1rem; margin-bottom: 1rem; }
.scroll + p { margin-top: 1rem; }
h2 { margin: 0 0 0.75rem; font-size: 1.25rem; line-height: 1.3; overflow-wrap: anywhere; }
h3 { margin: 1.5rem 0 0.5rem; font-size: 1rem; }
h2.bar { margin: 0; padding: 0.75rem 1.25rem; font-size: 1rem; border-bottom: 1px solid var(--line); }
.request { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: baseline; padding: 0.85rem 1.25rem; border-bottom: 1px solid var(--line); }
.request h3 { margin: 0; overflow-wrap: anywhere; }
.request .badges { margin-left: auto; }
.verdict.good { color: var(--good); } .verdict.bad { color: var(--bad); } .verdict.wait { color: var(--wait); }
dl + pre { margin-top: 1rem; }
pre.code + p { margin-top: 0.5rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
nav.tabs { display: flex; flex-wrap: wrap; gap: 0.25rem; padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); }
nav.tabs a { padding: 0.3rem 0.8rem; border-radius: 0.5rem; text-decoration: none; color: var(--soft); font-weight: 600; font-size: 0.9375rem; }
nav.tabs a[aria-current] { background: var(--ground); color: var(--ink); }
nav.tabs a.raw { margin-left: auto; font-weight: 400; }
iframe { display: block; width: 100%; height: 70vh; min-height: 20rem; border: 0; background: #ffffff; color-scheme: light; resize: vertical; }
pre { margin: 0; padding: 1.25rem; overflow-x: auto; font: 0.875rem/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.code { background: var(--code); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.85rem 1rem; }
code { font: 0.875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
p code { overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
tr:first-child > th, tr:first-child > td { border-top: 0; }
th { font-weight: 600; white-space: nowrap; }
thead th { color: var(--soft); font-size: 0.875rem; font-weight: 400; }
.scroll { overflow-x: auto; }
.bar:not(h2) { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin-bottom: 1rem; }
nav.views { display: flex; gap: 0.25rem; }
nav.views a { padding: 0.4rem 0.8rem; border-radius: 0.5rem; text-decoration: none; font-weight: 600; }
nav.views a[aria-current] { background: var(--card); color: var(--ink); box-shadow: inset 0 0 0 1px var(--line); }
form[role='search'] { display: flex; flex: 1 1 16rem; gap: 0.5rem; }
input { flex: 1 1 auto; min-width: 0; padding: 0.4rem 0.75rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 0.5rem; }
button, a.button { padding: 0.4rem 0.9rem; font: inherit; font-weight: 600; color: var(--accent); background: var(--card); border: 1px solid currentColor; border-radius: 0.5rem; cursor: pointer; text-decoration: none; }
button.danger { color: var(--bad); }
button.small { padding: 0.15rem 0.6rem; font-size: 0.875rem; }
.notice { padding: 0.6rem 1.25rem; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.row { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.125rem 1rem; padding: 0.85rem 1.25rem; }
.row .subject, .row .who { white-space: normal; overflow-wrap: anywhere; }
.row time { justify-self: end; }
.wide { grid-column: 1 / -1; }
.wrap:has(.mail) { max-width: 84rem; }
.mail { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 0 1rem; align-items: start; }
.content h2 { margin: 0; padding: 0.75rem 1.25rem; border-bottom: 1px solid var(--line); }
.about .pad { padding: 1rem; }
.about h3 { margin: 0 0 0.5rem; }
.about dl { grid-template-columns: minmax(0, 1fr); gap: 0; font-size: 0.9375rem; } .about dd + dt { margin-top: 0.5rem; }
.about time { white-space: normal; } .about ol.steps time { display: block; }
.since { font-size: 0.875rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
p.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0 0 0.5rem; color: var(--soft); font-size: 0.875rem; }
.about dl.legend { grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 0.75rem; margin: 0 1rem 1rem; color: var(--soft); font-size: 0.875rem; }
.about dl.legend dd + dt { margin-top: 0; }
b.good { color: var(--good); } b.bad { color: var(--bad); } b.wait { color: var(--wait); }
ol.steps { list-style: none; margin: 0; padding: 0; }
ol.steps li { padding: 0.4rem 0; overflow-wrap: anywhere; }
ol.steps li + li { border-top: 1px solid var(--line); }
ol.steps time { white-space: normal; }
.answer { color: var(--soft); font-size: 0.9375rem; }
.blocked { margin: 0; padding: 0.6rem 1.25rem; border-bottom: 1px solid var(--line); color: var(--wait); }
ol.steps .badge { margin-right: 0.375rem; }
.pad > :last-child { margin-bottom: 0; }
p { margin: 0 0 1rem; } .soft { color: var(--soft); }
details summary { cursor: pointer; font-weight: 600; padding: 0.85rem 1.25rem; }
details .pad { padding-top: 0; }
@media (max-width: 60rem) {
  .mail { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 40rem) {
  .wrap { padding: 0.75rem; }
  nav.tabs { padding: 0.4rem 0.5rem; gap: 0; } nav.tabs a { padding: 0.3rem 0.5rem; }
  .pad, h2.bar, .content h2, details summary { padding-left: 1rem; padding-right: 1rem; }
  ol.mails a, .row { grid-template-columns: minmax(0, 1fr); padding: 0.75rem 1rem; }
  .row time { justify-self: start; }
  th { white-space: normal; overflow-wrap: anywhere; min-width: 7rem; }
  .badges { justify-content: flex-start; }
  header.top p { margin-left: 0; }
  .request { padding: 0.75rem 1rem; } .request .badges { margin-left: 0; flex-basis: 100%; }
  ol.mails time { justify-self: start; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd + dt { margin-top: 0.5rem; }
}
`;
