import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_RULES, type AuditRule, type Difference } from '../../../domain/audit/difference';
import { auditOf } from '../../support/auditing';
import { playEveryOutcome } from '../../support/every-outcome';
import { Running, temporaryDir } from '../../support/running';
import { CAMPAIGN_DAMAGE } from './campaign-damage';
import { CONVERSION_DAMAGE } from './conversion-damage';
import { Scene, type Finding } from './damage';
import { ENROLLMENT_DAMAGE } from './enrollment-damage';
import { ENGAGEMENT_DAMAGE } from './engagement-damage';
import { LEDGER_DAMAGE, PENALTY_DAMAGE } from './ledger-damage';
import { MESSAGE_DAMAGE } from './message-damage';
import { ATTEMPT_DAMAGE, COUNTER_DAMAGE, LIST_DAMAGE, SANDBOX_DAMAGE } from './other-damage';
import { WEBHOOK_DAMAGE } from './webhook-damage';

const DAMAGES = [
  ...LEDGER_DAMAGE,
  ...PENALTY_DAMAGE,
  ...MESSAGE_DAMAGE,
  ...ATTEMPT_DAMAGE,
  ...COUNTER_DAMAGE,
  ...LIST_DAMAGE,
  ...SANDBOX_DAMAGE,
  ...ENGAGEMENT_DAMAGE,
  ...CAMPAIGN_DAMAGE,
  ...ENROLLMENT_DAMAGE,
  ...WEBHOOK_DAMAGE,
  ...CONVERSION_DAMAGE,
];

let dataDir: string;
let scene: Scene;
beforeAll(async () => {
  const running = await Running.start();
  const ids = await playEveryOutcome(running);
  ({ dataDir } = running);
  await running.rest();
  scene = new Scene(ids, dataDir);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('the audit of what a service left behind', () => {
  it('finds nothing, says how much it looked at, and changes no file', async () => {
    const before = hashes(dataDir);
    const { summary, found } = await auditOf(dataDir);
    expect(found).toEqual([]);
    expect(summary).toMatchObject({
      checked: {
        workspaces: 2,
        messages: 39,
        penalties: 4,
        idempotency_keys: 1,
        engagement_rows: 8,
        campaigns: 1,
        enrollments: 2,
        conversions: 2,
        received: 34,
      },
      differences: 0,
    });
    expect(hashes(dataDir)).toEqual(before);
  });

  it('counts no refund as missing that is on its way to the ledger', async () => {
    const id = `refund:${scene.ids.rejected}:1`;
    const { found } = await auditDamaged(`DELETE FROM ledger WHERE id = '${id}';
      UPDATE balances SET balance = balance - 1 WHERE workspace_id = 1;
      UPDATE cursors SET next = (SELECT offset FROM log_coins_entries WHERE value LIKE '%${id}%') WHERE consumer = 'coins'`);
    expect(found).toEqual([]);
  });

  it.each(DAMAGES.map((damage) => [damage.what, damage] as const))('names %s, with both figures', async (_, damage) => {
    const { found: all, summary } = await auditDamaged(damage.sql(scene), damage.file);
    const found = all.map((one) => ({ ...one, subject: one.subject.replace(/(acceptance,) \d+ to \d+/, '$1') }));
    const expected = damage.finds(scene);
    expect(found.map(({ rule, subject }) => `${rule} ${subject}`).sort()).toEqual(
      expected.map(([rule, subject]) => `${rule} ${subject}`).sort(),
    );
    expect(summary.differences).toBe(expected.length);
    for (const difference of found) expectFigures(difference, expected);
  });

  it('has damage for every rule but the limit of a day, which takes 300 mails, and what another engine derives', () => {
    const named = new Set(DAMAGES.flatMap((damage) => damage.finds(scene).map(([rule]) => rule)));
    const missing = Object.keys(AUDIT_RULES).filter((rule) => !named.has(rule as AuditRule));
    expect(missing).toEqual(['derived-fields', 'send-day']);
  });
});

function expectFigures(difference: Difference, expected: Finding[]): void {
  const finding = expected.find(([rule, subject]) => rule === difference.rule && subject === difference.subject)!;
  expect(difference.expected).toMatch(finding[2] ?? /./);
  expect(difference.found).toMatch(finding[3] ?? /./);
  expect(difference.expected).not.toBe(difference.found);
}

/** Audits a copy of the data with the damage done to it. */
async function auditDamaged(sql: string, file = 'kurir.sqlite'): ReturnType<typeof auditOf> {
  const copy = temporaryDir();
  try {
    cpSync(dataDir, copy, { recursive: true });
    const db = new DatabaseSync(join(copy, file));
    db.exec(sql);
    db.close();
    return await auditOf(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function hashes(dir: string): string[] {
  const names = readdirSync(dir).filter((name) => name.endsWith('.sqlite'));
  return names.sort().map(
    (name) =>
      `${name} ${createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex')}`,
  );
}
