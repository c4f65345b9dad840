/**
 * The only script of the sandbox's pages: it shows times in the zone and language of the browser. Without it they stay
 * in UTC. The policy of the pages names its hash, so no other script can run.
 */
export const LOCAL_TIME = `for (const time of document.querySelectorAll('time[datetime]')) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) continue;
  time.title = time.textContent;
  time.textContent = at.toLocaleString(undefined, {
    year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit',
    fractionalSecondDigits: 3, timeZoneName: 'short',
  });
}`;

/** The script as it stands in a page. */
export const LOCAL_TIME_ELEMENT = `<script>${LOCAL_TIME}</script>`;
