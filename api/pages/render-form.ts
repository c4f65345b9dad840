import { Eta } from 'eta';
import type { PageForm } from './page';

/**
 * Labels, described errors and the order of the fields are for screen readers and the keyboard. The trap is a field
 * that people neither see nor reach; programs that fill everything fill it too.
 */
const template = `<% const describe = (name, field) => field.error ? ' aria-invalid="true" aria-describedby="' + name + '-error"' : ''; %>
<% const fault = (name, field) => field.error ? '<p class="error" id="' + name + '-error">' : ''; %>
<form method="post" accept-charset="utf-8">
<% if (it.alert) { %>
<div class="alert" role="alert"><p><%= it.alert.title %></p><% for (const text of it.alert.texts) { %><p><%= text %></p><% } %></div>
<% } %>
<label for="email"><%= it.email.label %></label>
<input type="email" id="email" name="email" value="<%= it.email.value %>" required maxlength="255" autocomplete="email"<%~ describe('email', it.email) %>>
<% if (it.email.error) { %><%~ fault('email', it.email) %><%= it.email.error %></p><% } %>
<label for="name"><%= it.name.label %> <small>(<%= it.name.hint %>)</small></label>
<input type="text" id="name" name="name" value="<%= it.name.value %>" maxlength="255" autocomplete="name"<%~ describe('name', it.name) %>>
<% if (it.name.error) { %><%~ fault('name', it.name) %><%= it.name.error %></p><% } %>
<div class="trap" aria-hidden="true"><label for="<%= it.trap.name %>"><%= it.trap.label %></label><input type="text" id="<%= it.trap.name %>" name="<%= it.trap.name %>" value="" tabindex="-1" autocomplete="off"></div>
<div class="check">
<input type="checkbox" id="consent" name="consent" value="true" required<% if (it.consent.checked) { %> checked<% } %><%~ describe('consent', it.consent) %>>
<label for="consent"><%= it.consent.label %></label>
<% if (it.consent.error) { %><%~ fault('consent', it.consent) %><%= it.consent.error %></p><% } %>
</div>
<% if (it.redirect) { %><input type="hidden" name="redirect" value="<%= it.redirect %>"><% } %>
<button type="submit"><%= it.button %></button>
</form>
`;

const eta = new Eta({ autoEscape: true, autoTrim: ['nl', false] });
const compiled = eta.compile(template);

/** The form of a page as HTML; all its texts are escaped. */
export const renderForm = (form: PageForm): string => eta.render(compiled, form);
