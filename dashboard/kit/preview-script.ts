/**
 * Shows a mail while it is written: a moment after the last key, the form is sent to the address of its preview button.
 * The answer comes into a new frame that takes the place of the old one once it is there: the first document of a frame
 * leaves no entry in the history. The frame stays sandboxed, with the policy that the answer brings.
 */
export const PREVIEW_SCRIPT = `'use strict';
const opener = document.querySelector('button[formtarget=preview]');
const form = opener.form;
let shown = document.querySelector('iframe[name=preview]');
let timer = 0, count = 0, isBusy = false, isStale = false;
const later = () => { clearTimeout(timer); timer = setTimeout(show, 400); };
function show() {
  isStale = isBusy;
  if (isBusy) return;
  isBusy = true;
  const next = shown.cloneNode(false);
  next.removeAttribute('src');
  // A frame keeps the name that it begins with.
  next.name = 'preview-' + (count += 1);
  next.classList.add('loading');
  shown.after(next);
  // Behind the load of the empty document that a new frame begins with.
  next.addEventListener('load', () => {
    shown.remove();
    opener.formTarget = next.name;
    next.classList.remove('loading');
    shown = next;
    isBusy = false;
    if (isStale) show();
  }, { once: true });
  const to = form.getAttribute('action');
  form.setAttribute('action', opener.getAttribute('formaction'));
  form.target = next.name;
  form.submit();
  form.setAttribute('action', to);
  form.removeAttribute('target');
}
form.addEventListener('input', later);
form.addEventListener('htmx:afterSettle', later);
if (!shown.hasAttribute('src')) later();
`;
