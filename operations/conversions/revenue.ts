import type { LinkedConversion } from '../../domain/conversions/conversion';
import { wibDay } from '../../domain/wib';
import type { Stores } from '../../stores/ports';
import type { ConversionFilter, ConversionCursor } from '../../stores/ports/conversion-store';

/** What revenue can be added up by. A day is one of WIB. */
export const REVENUE_BY = ['campaign', 'journey', 'message', 'day'] as const;
export type RevenueBy = (typeof REVENUE_BY)[number];

/** The sum of some sales. */
export interface Revenue {
  /** The campaign, journey, message or day; null for sales without a campaign or journey. */
  of: string | null;
  conversions: number;
  /** Whole rupiah. */
  revenue: number;
}

/** Sales read at once. */
const PAGE = 1_000;

const KEYS: Record<RevenueBy, (sale: LinkedConversion) => string | null> = {
  campaign: ({ link }) => (link.campaignId === null ? null : String(link.campaignId)),
  journey: ({ link }) => (link.journeyId === null ? null : String(link.journeyId)),
  message: ({ link }) => link.messageId,
  day: ({ occurredAt }) => wibDay(occurredAt),
};

/** Adds up the linked sales of a workspace: days newest first, the others by revenue. Reads every sale that matches. */
export async function revenueBy(
  conversions: Pick<Stores['conversions'], 'listAfter'>,
  workspaceId: number,
  by: RevenueBy,
  filter: ConversionFilter,
): Promise<Revenue[]> {
  const sums = new Map<string | null, Revenue>();
  for (let after: ConversionCursor | null = null; ;) {
    const sales: LinkedConversion[] = await conversions.listAfter(workspaceId, filter, after, PAGE);
    for (const sale of sales) {
      const of = KEYS[by](sale);
      const sum = sums.get(of) ?? { of, conversions: 0, revenue: 0 };
      sums.set(of, { of, conversions: sum.conversions + 1, revenue: sum.revenue + sale.amount });
    }
    after = sales.at(-1) ?? null;
    if (sales.length < PAGE) break;
  }
  const rows = [...sums.values()];
  return by === 'day' ? rows : rows.sort((a, b) => b.revenue - a.revenue || b.conversions - a.conversions);
}
