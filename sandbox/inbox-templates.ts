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
<%~ it.script %>
</body>
</html>
`;

const BEHAVIOURS = `<div class="scroll"><table>
<% for (const [name, { about }] of it.behaviours) { %><tr><th scope="row"><code><%= name %>@…</code></th><td><%= about %></td></tr>
<% } %></table></div>
<p class="soft">At any domain, in any case. A tag may follow, as in <code>hardbounce+test@example.com</code>.</p>`;

const BAR = `<div class="bar">
<nav class="views" aria-label="Messages">
<a href="<%= it.path %>"<% if (!it.refusedShown) { %> aria-current="page"<% } %>>Received <span class="soft"><%= it.received %></span></a>
<a href="<%= it.path %>?show=refused"<% if (it.refusedShown) { %> aria-current="page"<% } %>>Refused <span class="soft"><%= it.refused %></span></a>
</nav>
<% if (!it.refusedShown) { %><form role="search" method="get" action="<%= it.path %>">
<label for="q" class="unseen">Search subject, addresses and ids</label>
<input id="q" name="q" type="search" value="<%= it.search %>" placeholder="Subject, address or id" maxlength="200">
<button>Search</button>
</form><% } %>
<a class="button" href="<%= it.here %>">Refresh</a>
</div>
<% if (it.notice) { %><p class="card pad notice" role="status"><%= it.notice %></p><% } %>`;

const STATUS = `<% if (mail.status) { %><span class="badge status <%= mail.status.tone %>"><span class="unseen">message </span><%= mail.status.name %></span><% } %>`;

/** Explains the two kinds of badges of a list. */
const LEGEND = `<p class="legend"><span><span class="badge status">filled</span> status of the message</span>
<% if (!it.refusedShown) { %><span><span class="badge">outlined</span> report that the sandbox sends back</span><% } else { %><span><span class="badge">outlined</span> number of tries</span><% } %>
<span><b class="good">green</b> delivered, <b class="wait">amber</b> in progress, <b class="bad">red</b> failed</span></p>`;

export const REFUSED = `${BAR}
<% if (it.refusals.length === 0) { %><section class="card pad"><h2>Nothing was refused</h2>
<p>Messages that the sandbox refuses are listed here with the reason, such as those to <code>reject@…</code>, <code>greylist@…</code> and <code>defer@…</code>.
Messages that were never sent to it are in <code>GET /v1/messages</code>.</p></section><% } else { %>
${LEGEND}
<div class="card"><ol class="mails">
<% for (const mail of it.refusals) { %>
<li><div class="row">
<span class="subject"><bdi><%= mail.reason %></bdi></span>
<time datetime="<%= mail.iso %>"><%= mail.time %></time>
<span class="who">to <bdi><%= mail.recipient %></bdi><% if (mail.envid) { %>, message <bdi><%= mail.envid %></bdi><% } %></span>
<span class="badges"><% if (mail.tries > 1) { %><span class="badge wait"><%= mail.tries %> tries</span><% } %>${STATUS}</span>
<% if (mail.status && mail.status.reason) { %><span class="who wide">The message says: <bdi><%= mail.status.reason %></bdi></span><% } %>
</div></li>
<% } %>
</ol></div>
<nav class="pager" aria-label="Pages"><span><% if (it.older) { %><a href="<%= it.path %>?show=refused&amp;before=<%= it.older %>" rel="next">Older</a><% } %></span></nav>
<% } %>
`;

export const LIST = `${BAR}
<% if (it.mails.length === 0) { %>
<section class="card pad">
<% if (it.search) { %>
<h2>No messages match “<bdi><%= it.search %></bdi>”</h2>
<p><a href="<%= it.path %>">Show all messages</a></p>
<% } else if (it.total === 0) { %>
<h2>No messages yet</h2>
<p>Send the first one. Your API key and the id of the sending domain are in <code>first-run.json</code> in the data
directory; <code>npx kurir demo</code> shows them too.</p>
<pre class="code"><%= it.curl %></pre>
<h3>Test addresses</h3>
${BEHAVIOURS}
<% } else { %>
<h2>No older messages</h2>
<p><a href="<%= it.path %>">Show the newest messages</a></p>
<% } %>
</section>
<% } else { %>
${LEGEND}
<div class="card"><ol class="mails">
<% for (const mail of it.mails) { %>
<li><a href="<%= it.path %>/<%= mail.id %>">
<span class="subject"><bdi><%= mail.subject || '(no subject)' %></bdi></span>
<time datetime="<%= mail.iso %>"><%= mail.time %></time>
<span class="who"><bdi><%= mail.to %></bdi> from <bdi><%= mail.from || 'no sender' %></bdi></span>
<span class="badges">
${STATUS}
<% if (mail.copies > 1) { %><span class="badge bad">received <%= mail.copies %> times</span><% } %>
<% for (const badge of mail.badges) { %><span class="badge <%= badge.tone %>"><span class="unseen">report </span><%= badge.text %></span><% } %>
<span class="size"><%= mail.size %></span>
</span>
</a></li>
<% } %>
</ol></div>
<nav class="pager" aria-label="Pages">
<span><% if (it.older) { %><a href="<%= it.path %>?<% if (it.search) { %>q=<%= encodeURIComponent(it.search) %>&amp;<% } %>before=<%= it.older %>" rel="next">Older messages</a><% } %></span>
<span class="soft"><%= it.total %> <%= it.search ? 'found' : 'in total' %> · <a href="<%= it.path %>">Newest</a></span>
</nav>
<details class="card"><summary>Test addresses</summary><div class="pad">
${BEHAVIOURS}
</div></details>
<% if (!it.search) { %><details class="card"><summary>Delete all messages</summary><div class="pad">
<form method="post" action="<%= it.path %>/delete?up_to=<%= it.mails[0].id %>"><p>Deletes every message in this inbox. Statuses, coins and reports do not change.</p>
<button class="danger">Delete all</button></form>
</div></details><% } %>
<% } %>
`;

const CONTENT = `<section class="card content">
<h2><bdi><%= it.mail.subject || '(no subject)' %></bdi></h2>
<nav class="tabs" aria-label="Views">
<% for (const tab of it.tabs) { %><a href="<%= it.path %>/<%= it.mail.id %>?view=<%= tab.view %>"<% if (tab.view === it.view) { %> aria-current="page"<% } %>><%= tab.label %></a><% } %>
<a class="raw" href="<%= it.path %>/<%= it.mail.id %>/source">Raw</a>
</nav>
<% if (it.fault) { %><p class="pad"><%= it.fault %></p><% } %>
<% if (it.blockedImages > 0) { %><p class="blocked" role="note"><%= it.blockedImages === 1 ? 'One image is blocked: it is' : it.blockedImages + ' images are blocked: they are' %> on another host, and this page loads nothing from outside. An email app would show <%= it.blockedImages === 1 ? 'it' : 'them' %>.</p><% } %>
<% if (it.view === 'html') { %><iframe title="HTML of the message" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" src="<%= it.path %>/<%= it.mail.id %>/html"></iframe>
<% } else if (it.view === 'headers') { %><div class="pad scroll"><table>
<% for (const header of it.headers) { %><tr><th scope="row"><%= header.name %></th><td><bdi><%= header.value %></bdi></td></tr>
<% } %></table></div>
<% } else { %><pre><%= it.shown %></pre><% } %>
</section>`;

const ABOUT = `<section class="card pad">
<h3>Email</h3>
<dl>
<dt>From</dt><dd><bdi><%= it.mail.from || 'no sender' %></bdi></dd>
<dt>To</dt><dd><bdi><%= it.mail.to %></bdi></dd>
<dt>Return path</dt><dd><% if (it.mail.mailFrom) { %><code><%= it.mail.mailFrom %></code><% } else { %>none (the null sender)<% } %></dd>
<dt>Received</dt><dd><time datetime="<%= it.mail.iso %>"><%= it.mail.time %></time>, <%= it.mail.size %></dd>
<dt>Message</dt><dd><code><%= it.mail.messageId || it.mail.envid || '–' %></code><% if (it.mail.copies > 1) { %> <span class="badge bad">received <%= it.mail.copies %> times</span><% } %></dd>
<% if (it.attachments.length > 0) { %><dt>Attachments</dt><dd><% for (const file of it.attachments) { %><div><bdi><%= file.filename %></bdi> <span class="soft"><%= file.type %>, <%= file.size %></span></div><% } %></dd><% } %>
</dl>
</section>`;

const MESSAGE = `<section class="card pad">
<h3>Message</h3>
<% if (!it.shownMessage) { %><p class="soft">The service has no message with this id.</p><% } else { %>
<p><span class="badge status <%= it.shownMessage.tone %>"><%= it.shownMessage.status %></span><% if (it.shownMessage.reason) { %> <bdi><%= it.shownMessage.reason %></bdi><% } %></p>
<ol class="steps">
<% for (const step of it.shownMessage.history) { %><li><strong><%= step.status %></strong> <span class="since"><%= step.since %></span> <time datetime="<%= step.iso %>"><%= step.time %></time></li>
<% } %></ol>
<% } %>
</section>`;

const REPORTS = `<section class="card pad">
<h3>Reports to the sender</h3>
<% if (it.mail.reports.length === 0) { %><p class="soft">None. This address triggers none, or the sender requested none.</p><% } else { %>
<ol class="steps">
<% for (const report of it.mail.reports) { %><li><strong><%= report.kind %></strong> <span class="badge <%= report.tone %>"><%= report.label %></span>
<% if (report.iso) { %><span class="since"><%= report.since %></span> <time datetime="<%= report.iso %>"><%= report.time %></time><% } else { %><span class="soft">after the one above</span><% } %>
<% if (report.tries > 1) { %><span class="soft"><%= report.tries %> tries</span><% } %>
<% if (report.reply) { %><div class="answer"><bdi><%= report.reply %></bdi></div><% } %></li>
<% } %></ol>
<% } %>
</section>
<dl class="legend" aria-label="Legend">
<dt><span class="badge status">filled</span></dt><dd>the status that the service gives the message</dd>
<dt><span class="badge">outlined</span></dt><dd>a report of the sandbox: sent, pending (not sent yet), or refused by the service</dd>
<dt><span class="since">+0.300 s</span></dt><dd>since the sandbox received the message</dd>
</dl>`;

/** The content comes first, also on a phone, where the rest stands below it. */
export const MAIL = `<div class="mail">
${CONTENT}
<aside class="about" aria-label="About the message">
${MESSAGE}
${REPORTS}
${ABOUT}
</aside>
</div>
<div class="pager"><a href="<%= it.path %>">All messages</a>
<form method="post" action="<%= it.path %>/<%= it.mail.id %>/delete"><button class="danger small">Delete this message</button></form></div>
`;

export const FAULT = `<section class="card pad"><h2><%= it.message %></h2><p><a href="<%= it.path %>">Show the newest</a></p></section>
`;
