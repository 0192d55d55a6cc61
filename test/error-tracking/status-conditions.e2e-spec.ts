import { beforeAll, describe, expect, it } from '@jest/globals';
import { ErrorGroupsRepository } from '../../src/error-tracking/errors/error-groups.repository.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { hashOf, incomingEvent, ingest } from '../support/error-ingest.js';
import { textOf } from '../support/html.js';
import { makeErrorsPlace } from '../pages/error-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const IN_AN_HOUR = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** A project with one error, whose developer has a token and a session. */
async function makeReported(release: string | null) {
  const { project, member, pages, path } = await makeErrorsPlace(app);
  const source = {
    projectId: project.id,
    keyId: null,
    scrubData: true,
    scrubIpAddresses: false,
    sensitiveFields: [],
    safeFields: [],
    retentionDays: 30,
  };
  const report = (...releases: (string | null)[]): Promise<void> =>
    ingest(
      app,
      source,
      releases.map((one) => incomingEvent('boom', { release: one, hashes: [hashOf('boom')] })),
    );
  await report(release);
  const errors = `/projects/${project.id}/error_tracking/errors`;
  const [listed] = (await member.api.get(errors)).body as { id: number }[];
  const url = `${errors}/${listed?.id}`;
  const read = async (): Promise<Record<string, unknown>> =>
    (await member.api.get(url)).body as Record<string, unknown>;
  return { url, report, read, api: member.api, pages, page: `${path}/${listed?.id}` };
}

describe('an error resolved in the next release', () => {
  it('regresses with the first event of a newer release only', async () => {
    const { url, report, read, api } = await makeReported('shop@1.4.0');
    await report('shop@1.3.9');
    const body = { status: 'resolved', in_next_release: true };
    expect((await api.put(url, body)).body).toMatchObject({
      status: 'resolved',
      resolved_release: 'shop@1.4.0',
    });
    await report('shop@1.4.0', 'shop@1.3.9', 'shop@1.3.10', null);
    expect(await read()).toMatchObject({ status: 'resolved', count: 6, regressed_at: null });
    await report('shop@1.4.1');
    expect(await read()).toMatchObject({
      status: 'unresolved',
      resolved_release: null,
      regressed_at: expect.any(String),
    });
  });

  it('compares other releases by the time of their first event', async () => {
    const { url, report, read, api } = await makeReported('f00d');
    await report('beef');
    await api.put(url, { status: 'resolved', in_next_release: true });
    await report('f00d', 'beef');
    expect(await read()).toMatchObject({ status: 'resolved', resolved_release: 'beef' });
    await report('cafe');
    expect(await read()).toMatchObject({ status: 'unresolved' });
  });

  it('is refused without releases, and with another status', async () => {
    const { url, api } = await makeReported(null);
    const resolved = await api.put(url, { status: 'resolved', in_next_release: true });
    expect([resolved.status, resolved.body]).toEqual([
      400,
      { message: 'The project has no releases' },
    ]);
    const ignored = await api.put(url, { status: 'ignored', in_next_release: true });
    expect(ignored.body).toMatchObject({ error: 'in_next_release is invalid' });
  });
});

describe('an error ignored for a while', () => {
  it('is reopened by as many events, without having regressed', async () => {
    const { url, report, read, api } = await makeReported(null);
    const set = await api.put(url, { status: 'ignored', ignored_events: 2 });
    expect(set.body).toMatchObject({ status: 'ignored', ignored_until_count: 3 });
    await report(null);
    expect(await read()).toMatchObject({ status: 'ignored' });
    await report(null);
    expect(await read()).toMatchObject({
      status: 'unresolved',
      ignored_until_count: null,
      regressed_at: null,
    });
  });

  it('is reopened when its time is over, also without events', async () => {
    const { url, report, read, api } = await makeReported(null);
    const until = IN_AN_HOUR();
    const set = await api.put(url, { status: 'ignored', ignored_until: until });
    expect(set.body).toMatchObject({ status: 'ignored', ignored_until: until });
    await report(null);
    const repository = app.app.get(ErrorGroupsRepository, { strict: false });
    await repository.endIgnores(new Date());
    expect(await read()).toMatchObject({ status: 'ignored' });
    await repository.endIgnores(new Date(until));
    expect(await read()).toMatchObject({ status: 'unresolved', ignored_until: null });
  });

  it('has an end in the future and a bounded number of events', async () => {
    const { url, api } = await makeReported(null);
    const refusals: [object, string][] = [
      [{ ignored_until: '2020-01-01T00:00:00Z' }, 'ignored_until is invalid'],
      [{ ignored_until: 'soon' }, 'ignored_until is invalid'],
      [{ ignored_events: 0 }, 'ignored_events has a value not allowed'],
      [{ ignored_events: 1_000_001 }, 'ignored_events is invalid'],
      [{ status: 'resolved', ignored_events: 5 }, 'ignored_events is invalid'],
    ];
    for (const [body, error] of refusals) {
      const answer = await api.put(url, { status: 'ignored', ...body });
      expect([answer.status, answer.body]).toMatchObject([400, { error }]);
    }
  });
});

describe('the page of an error', () => {
  it('sets conditions of a status without script, and tells what happened', async () => {
    const { pages, page, report } = await makeReported('shop@1.4.0');
    const shown = await pages.get(`${page}/details`).expect(200);
    expect(textOf(shown.text)).toContain('Resolve in next release');
    await pages.post(`${page}/status`, { status: 'resolved', until: 'next_release' }).expect(303);
    await report('shop@1.4.1');
    await pages.post(`${page}/status`, { status: 'ignored', until: 'events_100' }).expect(303);
    const text = textOf((await pages.get(`${page}/details`).expect(200)).text);
    expect(text).toContain('Ignored for 100 more events');
    expect(text).toMatch(
      /Activity @\S+ ignored it for 100 events .* Regressed in shop@1\.4\.1 .* resolved it after shop@1\.4\.0/,
    );
    await pages.post(`${page}/status`, { status: 'ignored', until: 'bogus' }).expect(303);
  });
});
