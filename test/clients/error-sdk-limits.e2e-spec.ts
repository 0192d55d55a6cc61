import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLimitedApp } from '../rate-limits/limited-app.js';
import type { OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeErrorProject } from './programs/error-project.js';
import { startPrograms, type ProgramRunner } from './programs/program-runner.js';

let app: OwnTestApp;
let programs: ProgramRunner;
beforeAll(async () => {
  const settings = { throttle_error_tracking_events_per_project_per_hour: 2 };
  [app, programs] = await Promise.all([startLimitedApp(settings), startPrograms()]);
});
afterAll(async () => {
  await programs.close();
  await app.close();
});

/** Reports four messages one after the other; prints the status of each, null when not sent. */
const PROGRAM = `
import * as Sentry from '@sentry/node';
Sentry.init({ dsn: process.env.DSN, defaultIntegrations: false });
const statuses = [];
Sentry.getClient().on('afterSendEvent', (_, { statusCode }) => statuses.push(statusCode));
for (const text of ['one', 'two', 'three', 'four']) {
  Sentry.captureMessage(text);
  await Sentry.flush(5000);
}
await Sentry.close(5000);
console.log(JSON.stringify(statuses));
`;

describe('a program above the quota of its project', () => {
  it('stops sending errors once it was told, and tells later how many that were', async () => {
    const project = await makeErrorProject(app);
    const statuses = await programs.result<(number | null)[]>(PROGRAM, project.dsn);
    expect(statuses).toEqual([200, 200, 429, null]);
    const errors = await project.errors();
    expect(errors.map(({ title }) => title)).toEqual(['one', 'two']);
    await eventually(async () => {
      expect(await project.usage()).toEqual({
        'accepted error': 2,
        'refused error quota': 1,
        'lost_by_client error ratelimit_backoff': 1,
      });
    });
  });

  it('does not keep the programs of other projects from reporting', async () => {
    const one = await makeErrorProject(app);
    await programs.result(PROGRAM, one.dsn);
    const other = await makeErrorProject(app);
    const statuses = await programs.result<(number | null)[]>(PROGRAM, other.dsn);
    expect(statuses[0]).toBe(200);
  });
});
