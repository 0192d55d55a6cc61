import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { markdownHtml } from '../../../src/core/ui/markdown/markdown-html.js';
import { startMailServer, type MailServer, type ReceivedMail } from '../../mail/mail-server.js';
import {
  alertNotes,
  makeIntegration,
  makeWebhook,
  monitoringBody,
  monitoringItem,
  postAlert,
  setAlertSettings,
  storedAlerts,
  type MadeIntegration,
} from '../../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { makeUser, type MadeUser } from '../../support/factories.js';
import { makeMember, type MadeProject } from '../../support/project-factories.js';
import { startTestWorker } from '../../support/worker.js';
import { XSS_PAYLOADS } from '../../support/xss-payloads.js';
import { endEmailWindows, react, waitingReactions } from '../reactions.js';

let app: OwnTestApp;
let server: MailServer;
let worker: INestApplicationContext;
beforeAll(async () => {
  [app, server] = await Promise.all([startTestApp(), startMailServer()]);
  worker = await startTestWorker(app, { smtpUrl: server.url });
});
afterAll(async () => {
  await worker.close();
  await server.close();
  await app.close();
});

/** Ways out of a row, and into what others would take for the server's own words. */
const OUTBREAKS = [
  'x\n\n# Resolved by the administrator',
  'x\r\n\r\n---\r\n\r\n**Severity:** low',
  'x  \n**Severity:** low',
  'x\u2028\u2028# Heading',
  'x\u0085\u0085# Heading',
  'x\u000b\u000c# Heading',
  '# Heading',
  '> quote',
  '- item',
  '1. item',
  '    code',
  '```\ncode',
  '~~~',
  '---',
  '===',
  '| a | b |\n| - | - |\n| c | d |',
  '@all @root please @group/sub',
  '#1 !2 %3 ~bug &4 $5 ^alert#6',
  '[Sign in](https://evil.example/sign_in)',
  '![pixel](https://evil.example/pixel.png)',
  '<https://evil.example/>',
  '[x]: https://evil.example\n\n[x]',
  '[^1]: note',
  '**bold** __bold__ *em* _em_ ~~gone~~',
  '`code` ``code``',
  '\\',
  'ends in \\',
  '&lt;b&gt; &#96; &colon;',
  '/close',
  '- [x] done',
  'https://good.example/) [x](https://evil.example',
  'https://a.example/?q=<script>',
  '$\\href{javascript:alert(1)}{x}$',
  '<!-- hidden',
  '<details><summary>x',
];

interface Incident {
  title: string;
  description: string;
}

function incidentsOf({ id }: MadeProject): Promise<Incident[]> {
  return app.dataSource.query(
    'SELECT title, description FROM issues WHERE project_id = $1 ORDER BY id',
    [id],
  );
}

/** Tags of the rendered text, without what they hold; links with where they lead. */
function tagsOf(html: string): string[] {
  return html.match(/<(?:a href="[^"]*"|[a-z0-9]+)/g) ?? [];
}

const rowsOf = (names: string[]) => [
  '<p',
  ...names.flatMap((_, at) => (at === 0 ? ['<strong'] : ['<br', '<strong'])),
];

describe('texts of an alert within its incident', () => {
  it.each(OUTBREAKS)('stay within their row: %j', async (text) => {
    const { project, integration } = await makeWebhook(app);
    await setAlertSettings(app, project, { createIssue: true });
    const fields = { title: 'A', service: text, monitoring_tool: text, hosts: [text] };
    await postAlert(integration.url, integration.token, { ...fields, description: text });
    await react(worker);
    const [incident] = await incidentsOf(project);
    const { description = '' } = incident ?? {};
    const lines = description.split('\n').filter((line) => line !== '');
    const names = lines.map((line) => /^\*\*([\w ]+):\*\* /.exec(line)?.[1]);
    const isBlank = text.trim() === '';
    const expected = isBlank
      ? ['Start time', 'Severity', 'Alert']
      : ['Start time', 'Severity', 'Service', 'Monitoring tool', 'Hosts', 'Description', 'Alert'];
    expect(names).toEqual(expected);
    const html = markdownHtml(description);
    const outside = tagsOf(html).filter((tag) => !tag.startsWith('<a '));
    expect(outside).toEqual(rowsOf(expected));
    // An address leads to exactly what is read there.
    const links = [...html.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)];
    for (const [, href, shown] of links) expect(shown).toBe(href);
  });

  it.each(OUTBREAKS)('stay within the query, too: %j', async (text) => {
    const { project, integration } = await makeWebhook(app, { type: 'prometheus' });
    await setAlertSettings(app, project, { createIssue: true });
    const generatorURL = `http://p/graph?g0.expr=${encodeURIComponent(text)}`;
    const body = monitoringBody([monitoringItem('A', { generatorURL })]);
    expect((await postAlert(integration.url, integration.token, body)).status).toBe(200);
    await react(worker);
    const [incident] = await incidentsOf(project);
    const tags = tagsOf(markdownHtml(incident?.description ?? ''));
    expect(tags.filter((tag) => !['<code', '<br', '<strong'].includes(tag))).toEqual([
      '<p',
      expect.stringContaining(`<a href="${app.url}/`),
    ]);
    expect(tags.filter((tag) => tag === '<code')).toHaveLength(1);
  });

  it.each(OUTBREAKS)('make nothing of the notes about it: %j', async (text) => {
    const { project } = await makeWebhook(app);
    const name = text.replace(/[\r\n\0]+/g, ' ').trim();
    const integration = await makeIntegration(app, project, { name });
    await postAlert(integration.url, integration.token, { title: 'A', monitoring_tool: text });
    await postAlert(integration.url, integration.token, { title: 'B' });
    for (const { id } of await storedAlerts(app, project)) {
      for (const note of await alertNotes(app, id)) {
        const tags = tagsOf(markdownHtml(note)).filter((tag) => !tag.startsWith('<a '));
        expect(tags).toEqual(['<p', '<strong']);
      }
    }
  });
});

const BREAKS = ['\r\n', '\n', '\r', '\u2028', '\u2029', '\u0085', '\u000b', '%0d%0a'];
const HOSTILE_TEXTS = [
  ...BREAKS.map((one) => `Disk${one}Bcc: all@example.com${one}${one}<script>alert(1)</script>`),
  ...XSS_PAYLOADS,
];
const OWN_TAGS =
  /^<\/?(html|head|meta|title|body|style|h1|div|p|a|strong|br|hr|table|tbody|tr|td|th|ul|li|span|small)$/i;

describe('texts of an alert within its mails', () => {
  afterEach(() => {
    server.received.length = 0;
  });

  interface MailedPlace {
    integration: MadeIntegration;
    maintainer: MadeUser;
  }

  async function makePlace(): Promise<MailedPlace> {
    const { project, integration } = await makeWebhook(app);
    const maintainer = await makeUser(app, { name: 'Eve "<b>" \u2028Bcc: all@example.com' });
    await makeMember(app, { project, user: maintainer, role: 'maintainer' });
    await setAlertSettings(app, project, { sendEmail: true });
    await app.dataSource.query('UPDATE projects SET name = $2 WHERE id = $1', [
      project.id,
      'Shop\u2028Bcc: all@example.com <img src=x onerror=alert(1)>',
    ]);
    return { integration, maintainer };
  }

  async function fire({ integration }: MailedPlace, text: string): Promise<void> {
    const names = ['title', 'service', 'monitoring_tool', 'description'];
    const fields = Object.fromEntries(names.map((name) => [name, text]));
    const body = { ...fields, hosts: [text], fingerprint: `of ${text}` };
    expect((await postAlert(integration.url, integration.token, body)).status).toBe(200);
  }

  const receive = (count: number) =>
    eventually(
      async () => {
        await react(worker);
        expect(server.received.length).toBe(count);
      },
      { seconds: 30 },
    );

  function assertHarmless({ to, parsed }: ReceivedMail, readers: readonly MailedPlace[]): void {
    expect(readers.map(({ maintainer }) => [maintainer.email])).toContainEqual(to);
    expect(parsed.bcc).toBeUndefined();
    expect(parsed.cc).toBeUndefined();
    expect(parsed.subject).not.toMatch(/[\r\n]/);
    const html = String(parsed.html);
    const tags = html.match(/<\/?([a-z][a-z0-9]*)/gi) ?? [];
    expect(tags.filter((tag) => !OWN_TAGS.test(tag))).toEqual([]);
    expect(tags.filter((tag) => /style|h1/i.test(tag))).toHaveLength(4);
    const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    for (const href of hrefs) expect(href?.startsWith(app.url)).toBe(true);
  }

  it('are text in both parts, and headers are only ours', async () => {
    const places: MailedPlace[] = [];
    while (places.length < 5) places.push(await makePlace());
    let count = 0;
    for (let start = 0; start < HOSTILE_TEXTS.length; start += places.length) {
      // One for each reader: several would be a digest.
      const texts = HOSTILE_TEXTS.slice(start, start + places.length);
      await endEmailWindows(app);
      await Promise.all(texts.map((text, at) => fire(places[at] as MailedPlace, text)));
      count += texts.length;
      await receive(count);
    }
    for (const mail of server.received) assertHarmless(mail, places);
  }, 120_000);

  it('are text in a digest, each on its line', async () => {
    const place = await makePlace();
    await fire(place, 'First');
    await receive(1);
    // A digest lists 50 alerts.
    const texts = HOSTILE_TEXTS.filter((_, at) => at % 3 === 0);
    for (const text of texts) await fire(place, text);
    await eventually(async () => {
      await react(worker);
      expect(await waitingReactions(app)).toEqual([]);
    });
    expect(server.received).toHaveLength(1);
    await endEmailWindows(app);
    await receive(2);
    const digest = server.received[1] as ReceivedMail;
    assertHarmless(digest, [place]);
    expect(digest.parsed.text?.match(/^Critical: /gm)).toHaveLength(texts.length);
    expect(digest.parsed.text).not.toMatch(/^Bcc:/m);
  });
});
