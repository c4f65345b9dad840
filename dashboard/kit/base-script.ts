import { TIME_FORM } from './components';

/** Runs on every screen: copy buttons, questions before what cannot be undone, and times in the zone of the browser. */
export const BASE_SCRIPT = `'use strict';
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]');
  if (!button) return;
  const of = button.previousElementSibling;
  // Browsers give the clipboard to https and to this machine only.
  if (!navigator.clipboard) return getSelection().selectAllChildren(of);
  navigator.clipboard.writeText(of.textContent).then(() => {
    const said = button.textContent;
    button.textContent = '✓';
    setTimeout(() => { button.textContent = said; }, 1200);
  });
});
document.addEventListener('submit', (event) => {
  const question = (event.submitter && event.submitter.dataset.confirm) || event.target.dataset.confirm;
  if (!question) return;
  if (!window.confirm(question)) return event.preventDefault();
  const sure = document.createElement('input');
  Object.assign(sure, { type: 'hidden', name: '_sure', value: 'yes' });
  event.target.append(sure);
});
document.addEventListener('change', (event) => {
  if (event.target.matches('select[data-submit]')) event.target.form.requestSubmit();
});
// Without this, times are in UTC. What is loaded into the page later has times as well.
const times = new Intl.DateTimeFormat(document.documentElement.dataset.locale, ${JSON.stringify(TIME_FORM)});
const localize = () => {
  for (const time of document.querySelectorAll('time[title]:not([data-local])')) {
    time.dataset.local = '';
    time.textContent = times.format(new Date(time.dateTime));
  }
};
localize();
new MutationObserver(localize).observe(document.body, { childList: true, subtree: true });
`;
