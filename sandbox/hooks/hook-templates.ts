const REGISTER = `<pre class="code"><%= it.curl %></pre>
<p class="soft">Your API key is in <code>first-run.json</code> in the data directory; <code>npx kurir demo</code> shows it too.
Events of emails that you send from now on arrive here; <code>POST /v1/webhooks/{id}/test</code> sends one right away.</p>`;

const BEHAVIOURS = `<div class="scroll"><table>
<% for (const [name, { about }] of it.behaviours) { %><tr><th scope="row"><code><%= name %></code></th><td><%= about %></td></tr>
<% } %><tr><th scope="row">any other</th><td>answers 200 when both signatures are valid, else 401</td></tr>
</table></div>`;

const BADGES = `<span class="badge <%= request.isVerified ? 'good' : 'bad' %>"><%= request.isVerified ? 'verified' : 'not verified' %></span>
<% if (request.attempt > 1) { %><span class="badge wait">repeated: attempt <%= request.attempt %></span><% } %>
<% if (request.answer !== 200) { %><span class="badge"><%= request.answered %></span><% } %>`;

export const HOOKS = `<% if (it.hooks.length === 0) { %>
<section class="card pad">
<h2>No request yet</h2>
<p>A hook is a URL of this sandbox that receives webhooks, verifies their signatures and shows them here.
Register one under any name:</p>
${REGISTER}
<h3>What each name does</h3>
${BEHAVIOURS}
</section>
<% } else { %>
<section class="card"><h2 class="bar">Webhooks</h2><ol class="mails">
<% for (const hook of it.hooks) { %>
<li><a href="<%= hook.path %>">
<span class="subject"><bdi><%= hook.name %></bdi></span>
<time datetime="<%= hook.iso %>"><%= hook.time %></time>
<span class="who"><%= hook.requests %> <%= hook.requests === 1 ? 'request' : 'requests' %></span>
<span class="badges"><% if (hook.verified > 0) { %><span class="badge good"><%= hook.verified %> verified</span><% } %>
<% if (hook.verified < hook.requests) { %><span class="badge bad"><%= hook.requests - hook.verified %> not verified</span><% } %></span>
</a></li>
<% } %>
</ol></section>
<section class="card"><h2 class="bar">Newest requests</h2><ol class="mails">
<% for (const request of it.newest) { %>
<li><a href="<%= request.path %>#request-<%= request.id %>">
<span class="subject"><bdi><%= request.event || '(no event)' %></bdi></span>
<time datetime="<%= request.iso %>"><%= request.time %></time>
<span class="who">to <bdi><%= request.name %></bdi><% if (request.messageId) { %>, message <bdi><%= request.messageId %></bdi><% } %></span>
<span class="badges">${BADGES}</span>
</a></li>
<% } %>
</ol></section>
<details class="card"><summary>Register another hook</summary><div class="pad">
${REGISTER}
<h3>What each name does</h3>
${BEHAVIOURS}
</div></details>
<% } %>
`;

export const HOOK = `<section class="card pad">
<h2><bdi><%= it.name %></bdi></h2>
<p><code><%= it.url %></code></p>
<% if (it.about) { %><p>This hook <%= it.about %>.</p><% } %>
<% if (it.total === 0) { %>
<p>No request yet. Register it as a webhook:</p>
${REGISTER}
<% } else if (it.requests.length === 0) { %><p>No older requests. <a href="<%= it.hook %>">Show the newest</a></p>
<% } else { %><p class="soft"><%= it.total %> kept, newest first</p><% } %>
</section>
<% for (const request of it.requests) { %>
<article class="card" id="request-<%= request.id %>">
<div class="request">
<h3><bdi><%= request.event || '(no event)' %></bdi></h3>
<time datetime="<%= request.iso %>"><%= request.time %></time>
<span class="badges">${BADGES}</span>
</div>
<div class="pad">
<dl>
<dt>Message</dt><dd><code><%= request.messageId || '–' %></code></dd>
<dt>Webhook</dt><dd><%= request.subscription === null ? 'none has this URL' : request.subscription %></dd>
<dt>webhook-id</dt><dd><code><%= request.webhookId || '–' %></code>, attempt <%= request.attempt %></dd>
<% for (const { name, tone, text } of request.signatures) { %><dt><%= name %></dt><dd><span class="verdict <%= tone %>"><%= text %></span></dd>
<% } %><dt>Answer</dt><dd><%= request.answer === null ? 'none' : request.answer %></dd>
</dl>
<pre class="code"><%= request.body %></pre>
<p class="soft"><% if (request.isCut) { %>Only the beginning is shown. <% } %><a href="<%= request.path %>/<%= request.id %>/body">Raw body</a>, <%= request.size %></p>
</div>
<details><summary>Headers</summary><div class="pad scroll"><table>
<% for (const [name, value] of request.headers) { %><tr><th scope="row"><%= name %></th><td><bdi><%= value %></bdi></td></tr>
<% } %></table></div></details>
</article>
<% } %>
<nav class="pager" aria-label="Pages">
<span><% if (it.older) { %><a href="<%= it.hook %>?before=<%= it.older %>" rel="next">Older requests</a><% } %></span>
<a href="<%= it.path %>">All hooks</a>
</nav>
`;
