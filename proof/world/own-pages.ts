import type { Outside } from './actors';
import { ask } from './request';
import { shownOf } from './shown';

/** Mails whose link is followed in one run. */
const FOLLOWED = 12;
const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

/**
 * Recipients look at the page behind the unsubscribe link of their mail, which names the address that it is about; none
 * of them presses its button.
 */
export async function lookAtPages({ server, random, recorder, ports }: Outside): Promise<void> {
  const linked = server.mails.flatMap(({ message, source }) => {
    const { header, links } = shownOf(source).unsubscribe;
    const url = links[0] ?? header;
    return url === null ? [] : [{ message, path: new URL(url).pathname }];
  });
  for (let n = 0; n < FOLLOWED && linked.length > 0; n++) {
    const [{ message, path }] = linked.splice(random.below(linked.length), 1) as [(typeof linked)[number]];
    const act = recorder.begin('person', 'page', { message });
    const answer = await ask(ports.http, path, {});
    if (answer) act.ok({ status: answer.status, names: [...new Set(answer.text.match(ADDRESS) ?? [])] });
    else act.info('no answer');
  }
}
