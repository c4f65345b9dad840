import { Pairing } from './acts';
import { countRun, type Counts } from './counts';
import type { Finding } from './finding';
import type { Line } from './history';
import { judgeAudiences } from './models/audiences';
import { judgeAudit } from './models/audit';
import { judgeBalance } from './models/balance';
import { judgeCampaigns } from './models/campaigns';
import { judgeContent, judgeLinks } from './models/content';
import { judgeHandOffs } from './models/hand-off';
import { judgeJourneys } from './models/journeys';
import { judgeLateness } from './models/late';
import { judgeOutcomes } from './models/outcome';
import { judgePace } from './models/pace';
import { judgeSales } from './models/sales';
import { judgeSends, judgeStrangers } from './models/sends';
import { judgeWebhooks } from './models/webhooks';
import type { Run } from './run';
import type { Slack } from './rules';
import { Splitting } from './split';

export interface Verdict {
  /** Empty for a run that is right. */
  findings: Finding[];
  counts: Counts;
}

/**
 * Judges a history by the contract alone (docs/proof.md#the-judge).
 *
 * @param slack - What the judge grants, where it is not the usual; ms.
 * @throws What reading the history throws.
 */
export async function judge(
  history: AsyncIterable<Line> | Iterable<Line>,
  slack: Partial<Slack> = {},
): Promise<Verdict> {
  const pairing = new Pairing();
  let lines = 0;
  const add = (line: Line): void => {
    lines += 1;
    pairing.add(line);
  };
  // One at a time is slow where nothing is to be waited for.
  if (Symbol.iterator in history) for (const line of history) add(line);
  else for await (const line of history) add(line);
  const splitting = new Splitting();
  for (const act of pairing.acts) splitting.add(act);
  const run = splitting.end(lines, slack);
  return { findings: [...pairing.problems, ...judgeRun(run)], counts: countRun(run) };
}

function judgeRun(run: Run): Finding[] {
  const findings = [...run.problems, ...judgeStrangers(run), ...judgeLinks(run), ...judgeAudit(run)];
  for (const workspace of run.workspaces.values()) {
    findings.push(...judgeSends(workspace), ...judgeHandOffs(run, workspace), ...judgeOutcomes(run, workspace));
    findings.push(...judgeContent(workspace));
    findings.push(...judgeBalance(run, workspace), ...judgeWebhooks(run, workspace), ...judgePace(run, workspace));
    findings.push(...judgeLateness(run, workspace));
    findings.push(...judgeCampaigns(run, workspace), ...judgeJourneys(run, workspace));
    findings.push(...judgeAudiences(run, workspace), ...judgeSales(run, workspace));
  }
  return findings;
}
