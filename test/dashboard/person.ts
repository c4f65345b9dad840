import { expect } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { newContext } from './browser';
import { PASSWORD } from './visitor';

/** What a task took, as somebody counts it who does it. */
interface Steps {
  pages: number;
  clicks: number;
  fields: number;
}

/** Somebody with a browser, who knows a page by what stands on it, and counts what it takes. */
export class Person {
  steps: Steps = { pages: 0, clicks: 0, fields: 0 };

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly origin: string,
  ) {
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.steps.pages += 1;
    });
    // Who is asked "Are you sure?" says yes.
    page.on('dialog', (dialog) => void dialog.accept());
  }

  static async begin(browser: Browser, origin: string): Promise<Person> {
    const context = await newContext(browser, { viewport: { width: 1280, height: 900 } });
    return new Person(context, await context.newPage(), origin);
  }

  /** Goes to where a link points that was given to this person. */
  async open(link: string): Promise<void> {
    await this.page.goto(new URL(link, this.origin).href);
  }

  /** Follows a link of the page by its words. */
  async follow(name: string | RegExp): Promise<void> {
    await this.click(this.page.getByRole('link', { name, exact: true }).first());
  }

  /** Pushes a button by its words. */
  async push(name: string | RegExp): Promise<void> {
    await this.click(this.page.getByRole('button', { name, exact: true }).first());
  }

  async click(what: Locator): Promise<void> {
    this.steps.clicks += 1;
    await what.click();
    await this.page.waitForLoadState('load');
  }

  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      this.steps.fields += 1;
      await this.field(label).fill(value);
    }
  }

  /** Fills a field that shares its label with others. */
  async write(name: string, value: string): Promise<void> {
    this.steps.fields += 1;
    await this.page.locator(`[name="${name}"]`).fill(value);
  }

  async choose(label: string, option: string | RegExp): Promise<void> {
    this.steps.fields += 1;
    const field = this.field(label);
    const labels = await field.locator('option').allInnerTexts();
    const found = labels.find((one) => (typeof option === 'string' ? one.trim() === option : option.test(one)));
    await field.selectOption({ label: found ?? String(option) });
  }

  /** Waits until the page says this. */
  async reads(text: string | RegExp): Promise<void> {
    await this.page.locator('main').getByText(text).first().waitFor();
  }

  /** The whole main part of the page as text. */
  async text(): Promise<string> {
    return (await this.page.locator('main').innerText()).replace(/\s+/g, ' ');
  }

  /** True if the page offers it, as link or button. */
  async offers(name: string): Promise<boolean> {
    const of = (role: 'link' | 'button') => this.page.locator('main').getByRole(role, { name, exact: true }).count();
    return (await of('link')) + (await of('button')) > 0;
  }

  /** Takes an invitation, chooses a password, and is signed in. */
  async claim(link: string, email?: string): Promise<void> {
    await this.open(link);
    await this.fill({
      ...(email && { 'Email address': email }),
      'Your name': 'Orang',
      'Password (at least 12 characters)': PASSWORD,
      'Confirm password': PASSWORD,
    });
    await this.push('Continue');
    await this.page.waitForURL(/\/app(?!\/claim)/);
  }

  /** The status of a form that the page does not offer, sent with the token of the session. */
  async sendAnyway(path: string): Promise<number> {
    return this.page.evaluate<number>(`(async () => {
      const body = new URLSearchParams({ _csrf: document.querySelector('[name=_csrf]').value });
      return (await fetch(${JSON.stringify(path)}, { method: 'POST', body, redirect: 'manual' })).status;
    })()`);
  }

  /** What was counted since the last time. */
  count(): Steps {
    const { steps } = this;
    this.steps = { pages: 0, clicks: 0, fields: 0 };
    return steps;
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  private field(label: string): Locator {
    const words = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return this.page
      .locator('main')
      .getByLabel(new RegExp(`^\\s*${words}\\s*(\\(required\\))?\\s*$`))
      .first();
  }
}

/** A screen that says no: neither the thing itself nor that it exists. */
export const refuses = async (person: Person, path: string): Promise<void> => {
  const answer = await person.page.request.get(path, { maxRedirects: 0 });
  expect([403, 404]).toContain(answer.status());
};

/** A task must not take more than this since the last count: a page, click or field too many is a stumble. */
export const takesAtMost = (person: Person, most: Steps): void => {
  const { pages, clicks, fields } = person.count();
  expect(pages).toBeLessThanOrEqual(most.pages);
  expect(clicks).toBeLessThanOrEqual(most.clicks);
  expect(fields).toBeLessThanOrEqual(most.fields);
};
