/** The style sheet of the dashboard: one look, light and dark, from 360 pixels on. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fbfaf8;--panel:#fff;--ink:#1d1c1a;--soft:#5c5954;--line:#dedad3;--accent:#0b5c4b;--accent-ink:#fff;--accent-soft:#e2f1ec;
--good:#136c3a;--bad:#a3241b;--warn:#7d5200;--good-soft:#e0f2e6;--bad-soft:#fbe6e3;--warn-soft:#fbf0d9;--focus:#1a6dd6}
@media (prefers-color-scheme:dark){:root{--bg:#151716;--panel:#1e2120;--ink:#eceae6;--soft:#a9a59e;--line:#363a38;--accent:#5fc9ae;--accent-ink:#0c1a16;
--accent-soft:#1d3a33;--good:#7fd79f;--bad:#f39b92;--warn:#e7be6a;--good-soft:#17331f;--bad-soft:#42201d;--warn-soft:#3a2e13;--focus:#7ab3ff}}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;background:var(--bg);color:var(--ink);-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh}
main{overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:3px}
h1{font-size:1.5rem;line-height:1.2;margin:0 0 1rem}
h2{font-size:1.1rem;margin:2rem 0 .6rem}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
p{margin:.5rem 0}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
pre{overflow:auto;padding:.8rem;border:1px solid var(--line);border-radius:6px;background:var(--panel);white-space:pre-wrap;overflow-wrap:anywhere}
.skip{position:absolute;left:-999px}.skip:focus{left:.5rem;top:.5rem;background:var(--panel);padding:.5rem;z-index:9}
.frame{display:grid;grid-template-columns:13.5rem minmax(0,1fr);min-height:100vh}
.side{border-right:1px solid var(--line);background:var(--panel);padding:1rem .75rem;display:flex;flex-direction:column;gap:.25rem}
.brand{font-weight:700;font-size:1.15rem;text-decoration:none;color:var(--ink);padding:.25rem .5rem}
.side nav ul{list-style:none;margin:0;padding:0}
.side nav a{display:block;padding:.38rem .6rem;border-radius:6px;color:var(--ink);text-decoration:none}
.side nav a:hover{background:var(--accent-soft)}
.side nav a[aria-current]{background:var(--accent);color:var(--accent-ink);font-weight:600}
.side h2{font-size:.75rem;letter-spacing:.04em;text-transform:uppercase;color:var(--soft);margin:1rem .6rem .3rem}
.side details>summary{cursor:pointer;padding:.4rem .6rem;font-weight:600}
.main{padding:1.25rem 1.75rem 4rem;max-width:76rem;width:100%;min-width:0}
.bar{display:flex;flex-wrap:wrap;gap:.75rem;justify-content:flex-end;align-items:center;font-size:.875rem;color:var(--soft);margin-bottom:1rem}
.bar form{display:inline}.bar select{min-height:2rem;padding:.2rem .4rem;width:auto}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:1rem 1.1rem;margin:0 0 1rem}
.panel>:first-child{margin-top:0}.panel>:last-child{margin-bottom:0}
ul.plain{list-style:none;margin:0;padding:0}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.75rem;margin:0 0 1rem;padding:0;list-style:none}
.card{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.8rem .9rem}
.card b{display:block;font-size:1.5rem;line-height:1.2;font-variant-numeric:tabular-nums}
.card small,.soft{color:var(--soft)}
.card a{text-decoration:none;color:inherit;display:block}
.table{overflow-x:auto;background:var(--panel);border:1px solid var(--line);border-radius:8px;margin:0 0 1rem}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{text-align:left;padding:.5rem .75rem;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
td{max-width:32rem}
th{font-weight:600;color:var(--soft);white-space:nowrap}
tbody tr:last-child td{border-bottom:0}
td.num,th.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.time{white-space:nowrap;font-variant-numeric:tabular-nums}
dl.facts{display:grid;grid-template-columns:minmax(8rem,auto) minmax(0,1fr);gap:.3rem 1rem;margin:0 0 .75rem}
dl.facts dt{color:var(--soft)}dl.facts dd{margin:0;overflow-wrap:anywhere}
.tag{display:inline-block;border-radius:99px;padding:.05rem .6rem;font-size:.8125rem;font-weight:600;background:var(--line);color:var(--ink);white-space:nowrap}
.tag.good{background:var(--good-soft);color:var(--good)}.tag.bad{background:var(--bad-soft);color:var(--bad)}.tag.warn{background:var(--warn-soft);color:var(--warn)}
.notice{border:1px solid var(--line);border-left:4px solid var(--accent);background:var(--accent-soft);border-radius:6px;padding:.6rem .9rem;margin:0 0 1rem;white-space:pre-wrap;overflow-wrap:anywhere}
.notice.bad{border-left-color:var(--bad);background:var(--bad-soft)}.notice.warn{border-left-color:var(--warn);background:var(--warn-soft)}
div.notice{white-space:normal}
form.fields{display:grid;gap:.9rem;max-width:40rem}
form.row{display:flex;flex-wrap:wrap;gap:.6rem;align-items:end;margin:0 0 1rem}
label,.label{font-weight:600;display:block;font-size:.9375rem}
.help{color:var(--soft);font-size:.875rem;margin:.1rem 0 0}
.fault{color:var(--bad);font-weight:600;font-size:.9rem;margin:.2rem 0 0}
input,select,textarea,button,.button{font:inherit;color:inherit}
input:not([type=checkbox]):not([type=radio]):not([type=color]),select,textarea{width:100%;padding:.45rem .6rem;border:1px solid var(--soft);border-radius:6px;background:var(--panel);min-height:2.5rem}
td button,td code{white-space:nowrap}
form.row details.all{flex-basis:100%;margin:0}form.row details .row{display:flex;flex-wrap:wrap;gap:.6rem;align-items:end;margin:.6rem 0 0}
form.row.flat{margin:0;flex-wrap:nowrap}
form.row input,form.row select{width:auto;min-width:8rem;max-width:100%}
input[type=checkbox],input[type=radio]{width:1.15rem;height:1.15rem;accent-color:var(--accent);vertical-align:-.15rem;margin:0 .4rem 0 0}
fieldset{border:0;margin:0;padding:0}label.box{font-weight:400;display:inline-block;margin:.2rem 1rem .2rem 0}
textarea{min-height:7rem;resize:vertical}textarea.code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.875rem;min-height:16rem}
[aria-invalid=true]{border-color:var(--bad)!important}
button,.button{display:inline-block;border:1px solid var(--accent);background:var(--accent);color:var(--accent-ink);border-radius:6px;padding:.45rem .95rem;min-height:2.5rem;cursor:pointer;font-weight:600;text-decoration:none}
button.plain,.button.plain{background:transparent;color:var(--accent)}
button.danger{background:transparent;border-color:var(--bad);color:var(--bad)}
button.link{border:0;background:none;padding:0;min-height:0;color:var(--accent);text-decoration:underline;font-weight:400}
.acts{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:.5rem 0 1rem}
.acts form{display:inline}.acts.small{font-size:.875rem;margin:.2rem 0}.acts.small button{min-height:1.9rem;padding:.1rem .6rem}
.pages{display:flex;gap:1rem;margin:.5rem 0}
.narrow{max-width:26rem;margin:8vh auto;padding:0 1rem}
progress{width:100%;height:.8rem;accent-color:var(--accent)}
svg.qr{display:block;width:13rem;max-width:100%;height:auto}
img.thumb{max-width:7rem;max-height:5rem;background:#fff}
iframe.mail{width:100%;min-height:30rem;border:1px solid var(--line);border-radius:8px;background:#fff}
fieldset{border:1px solid var(--line);border-radius:8px;padding:.6rem .9rem .2rem;margin:0 0 .9rem;min-width:0}fieldset:not(.block)>div{margin-bottom:.7rem}fieldset.block{display:grid;gap:.6rem;background:var(--panel)}
legend{font-weight:600;padding:0 .3rem}button.small{min-height:2rem;padding:.15rem .6rem;font-size:.875rem}
.split>.preview{position:sticky;top:0;align-self:start}.preview iframe.mail{min-height:44rem}.preview iframe.loading{position:absolute;inset:0 auto auto 0;visibility:hidden}.preview:has([value=phone]:checked) iframe{max-width:375px}.preview label{display:inline-block;margin-right:1rem}
.split{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1.25rem}
.story{list-style:none;margin:0;padding:0 0 0 1rem;border-left:2px solid var(--line)}
.story li{position:relative;padding:0 0 .8rem .4rem}.story li::before{content:"";position:absolute;left:-1.37rem;top:.5rem;width:.6rem;height:.6rem;border-radius:50%;background:var(--accent)}
.story li.bad::before{background:var(--bad)}.story li>time{color:var(--soft);font-size:.875rem;display:block}
.story li.next::before{background:var(--line)}
.flow{overflow:auto;max-height:80vh;background:var(--panel);border:1px solid var(--line);border-radius:8px;margin:0 0 1rem}
.flow svg{display:block;margin:0 auto}.flow polyline{fill:none;stroke:var(--soft);stroke-width:1.5}
.flow rect{fill:var(--bg);stroke:var(--soft)}.flow .email rect{stroke:var(--accent);fill:var(--accent-soft)}.flow .branch rect{stroke:var(--warn);fill:var(--warn-soft)}
.flow .goal rect{stroke-dasharray:4 3}.flow text{fill:var(--ink);font-size:13px}.flow .kind{fill:var(--ink);font-size:12px;font-weight:600}.flow .count{fill:var(--ink);font-size:12px}
ul.steps{list-style:none;margin:.3rem 0;padding:0 0 0 .8rem;border-left:2px solid var(--line)}ul.steps>li{margin:.35rem 0;overflow-wrap:anywhere}.way{margin:.3rem 0 .3rem .8rem}
button[aria-current],.button[aria-current]{background:var(--accent-soft)}summary{cursor:pointer}details{margin:0 0 1rem}
.chart{min-height:19rem;margin:0 0 .5rem}.u-legend{font-size:.875rem}.u-legend th{color:var(--ink)}.u-legend td{border:0}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (scripting:none){.scripted{display:none}}
.only-wide{display:block}.only-narrow{display:none}
@media (max-width:800px){.frame{grid-template-columns:minmax(0,1fr);grid-template-rows:auto 1fr}.side{border-right:0;border-bottom:1px solid var(--line);padding:.5rem}.main{padding:1rem .9rem 3rem}
.split{grid-template-columns:minmax(0,1fr)}.only-wide{display:none}.only-narrow{display:block}dl.facts{grid-template-columns:minmax(0,1fr)}dl.facts dd{margin-bottom:.5rem}
.side details{margin:0}.table table{width:max-content;min-width:100%}td{max-width:18rem}form.row:not(.flat) div:has(>label){flex:1 1 8rem}form.row:not(.flat) :is(input,select){width:100%}}
.htmx-request{cursor:progress}
`;
