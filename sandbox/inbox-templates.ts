/** The frame of every page; `it.main` is the rendered page. */
export const LAYOUT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title><%= it.title %></title>
<style><%~ it.style %></style>
</head>
<body>
<div class="wrap">
<header class="top">
<h1>Kurir sandbox</h1>
<nav class="places" aria-label="Sandbox">
<% for (const place of it.places) { %><a href="<%= place.path %>"<% if (place.path === it.path) { %> aria-current="true"<% } %>><%= place.label %></a>
<% } %></nav>
<p>Nothing here was delivered to a real mailbox.</p>
</header>
<main><%~ it.main %></main>
</div>
</body>
</html>
`;

const BEHAVIOURS = `<div class="scroll"><table>
<% for (const [name, { about }] of it.behaviours) { %><tr><th scope="row"><code><%= name %>@…</code></th><td><%= about %></td></tr>
<% } %></table></div>
<p class="soft">At any domain, in any case. A tag may follow, as in <code>hardbounce+test@example.com</code>.</p>`;

export const LIST = `<% if (it.mails.length === 0) { %>
<section class="card pad">
<% if (it.total === 0) { %>
<h2>No mail yet</h2>
<p>Send the first one. Your API key and the id of the sending domain are in <code>first-run.json</code> in the data
directory, and were printed at the first start.</p>
<pre class="code"><%= it.curl %></pre>
<h3>Test addresses</h3>
${BEHAVIOURS}
<% } else { %>
<h2>No older mail</h2>
<p><a href="<%= it.path %>">To the newest mail</a></p>
<% } %>
</section>
<% } else { %>
<div class="card"><ol class="mails">
<% for (const mail of it.mails) { %>
<li><a href="<%= it.path %>/<%= mail.id %>">
<span class="subject"><bdi><%= mail.subject || '(no subject)' %></bdi></span>
<time datetime="<%= mail.iso %>"><%= mail.time %></time>
<span class="who"><bdi><%= mail.to %></bdi> from <bdi><%= mail.from || 'no sender' %></bdi></span>
<span class="badges">
<% if (mail.copies > 1) { %><span class="badge bad">received <%= mail.copies %> times</span><% } %>
<% for (const badge of mail.badges) { %><span class="badge <%= badge.tone %>"><%= badge.text %></span><% } %>
<span class="size"><%= mail.size %></span>
</span>
</a></li>
<% } %>
</ol></div>
<nav class="pager" aria-label="Pages">
<span><% if (it.older) { %><a href="<%= it.path %>?before=<%= it.older %>" rel="next">Older mail</a><% } %></span>
<span class="soft"><%= it.total %> in all · <a href="<%= it.path %>">Newest</a></span>
</nav>
<details class="card"><summary>Test addresses</summary><div class="pad">
${BEHAVIOURS}
</div></details>
<% } %>
`;

export const MAIL = `<section class="card pad">
<h2><bdi><%= it.mail.subject || '(no subject)' %></bdi></h2>
<dl>
<dt>From</dt><dd><bdi><%= it.mail.from || 'no sender' %></bdi></dd>
<dt>To</dt><dd><bdi><%= it.mail.to %></bdi></dd>
<dt>Return path</dt><dd><% if (it.mail.mailFrom) { %><code><%= it.mail.mailFrom %></code><% } else { %>none (the null sender)<% } %></dd>
<dt>Received</dt><dd><time datetime="<%= it.mail.iso %>"><%= it.mail.time %></time>, <%= it.mail.size %></dd>
<dt>Message</dt><dd><code><%= it.mail.messageId || it.mail.envid || '–' %></code><% if (it.mail.copies > 1) { %> <span class="badge bad">received <%= it.mail.copies %> times</span><% } %></dd>
<% if (it.attachments.length > 0) { %><dt>Attachments</dt><dd><% for (const file of it.attachments) { %><div><bdi><%= file.filename %></bdi> <span class="soft"><%= file.type %>, <%= file.size %></span></div><% } %></dd><% } %>
</dl>
<h3>Reports to the sender</h3>
<% if (it.mail.reports.length === 0) { %><p class="soft">None. This address triggers none, or the sender requested none.</p><% } else { %>
<div class="scroll"><table class="reports">
<thead><tr><th scope="col">Report</th><th scope="col">State</th><th scope="col">Time</th><th scope="col">Tries</th><th scope="col">Last answer</th></tr></thead>
<% for (const report of it.mail.reports) { %><tr><td><%= report.kind %></td><td><span class="badge <%= report.tone %>"><%= report.state %></span></td><td><%= report.time %></td><td><%= report.tries %></td><td><bdi><%= report.reply || '–' %></bdi></td></tr>
<% } %></table></div>
<% } %>
</section>
<section class="card">
<nav class="tabs" aria-label="Views">
<% for (const tab of it.tabs) { %><a href="<%= it.path %>/<%= it.mail.id %>?view=<%= tab.view %>"<% if (tab.view === it.view) { %> aria-current="page"<% } %>><%= tab.label %></a><% } %>
<a class="raw" href="<%= it.path %>/<%= it.mail.id %>/source">Raw</a>
</nav>
<% if (it.fault) { %><p class="pad"><%= it.fault %></p><% } %>
<% if (it.view === 'html') { %><iframe title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" src="<%= it.path %>/<%= it.mail.id %>/html"></iframe>
<% } else if (it.view === 'headers') { %><div class="pad scroll"><table>
<% for (const header of it.headers) { %><tr><th scope="row"><%= header.name %></th><td><bdi><%= header.value %></bdi></td></tr>
<% } %></table></div>
<% } else { %><pre><%= it.shown %></pre><% } %>
</section>
<p><a href="<%= it.path %>">All mail</a></p>
`;

export const FAULT = `<section class="card pad"><h2><%= it.message %></h2><p><a href="<%= it.path %>">To the newest</a></p></section>
`;
