import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makePlace, trailOf } from './integration-place.js';

const DEFAULTS = {
  create_issue: false,
  issue_template_key: null,
  send_email: false,
  email_access_level: 40,
  confidential_incidents: true,
  auto_close_incident: true,
  auto_resolve_hours: null,
};

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function settings() {
  const { project, maintainer, path } = await makePlace(app);
  const read = () => maintainer.api.get(path('/settings'));
  const change = (body: object) => maintainer.api.put(path('/settings'), body);
  return { project, maintainer, path, read, change };
}

describe('the alert settings of a project', () => {
  it('are the defaults until changed', async () => {
    const { read } = await settings();
    const response = await read();
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: DEFAULTS,
    });
  });

  it('change as far as they are given', async () => {
    const { project, maintainer, read, change } = await settings();
    const first = await change({ create_issue: true, issue_template_key: 'outage' });
    expect({ status: first.status, body: first.body as unknown }).toEqual({
      status: 200,
      body: { ...DEFAULTS, create_issue: true, issue_template_key: 'outage' },
    });
    const second = await change({
      create_issue: 'false',
      send_email: true,
      email_access_level: '30',
      confidential_incidents: false,
      auto_close_incident: false,
      auto_resolve_hours: '48',
    });
    const expected = {
      create_issue: false,
      issue_template_key: 'outage',
      send_email: true,
      email_access_level: 30,
      confidential_incidents: false,
      auto_close_incident: false,
      auto_resolve_hours: 48,
    };
    expect(second.body).toEqual(expected);
    expect((await read()).body).toEqual(expected);
    const common = {
      author_id: maintainer.user.id,
      action: 'alert_settings_updated',
      target_type: 'Project',
      target_name: project.fullPath,
    };
    expect(await trailOf(app, project)).toEqual([
      {
        ...common,
        details: {
          create_issue: { from: false, to: true },
          issue_template_key: { from: null, to: 'outage' },
        },
      },
      {
        ...common,
        details: {
          create_issue: { from: true, to: false },
          send_email: { from: false, to: true },
          email_access_level: { from: 40, to: 30 },
          confidential_incidents: { from: true, to: false },
          auto_close_incident: { from: true, to: false },
          auto_resolve_hours: { from: null, to: 48 },
        },
      },
    ]);
  });

  it('lose template and hours by null and keep the switches and the role', async () => {
    const { change } = await settings();
    const kept = { send_email: true, email_access_level: 50 };
    await change({ ...kept, issue_template_key: 'outage', auto_resolve_hours: 1 });
    const nulls = { send_email: null, email_access_level: null, auto_resolve_hours: null };
    const { body } = await change({ ...nulls, issue_template_key: '' });
    expect(body).toEqual({ ...DEFAULTS, ...kept });
  });

  it('leave no entry in the trail when nothing changes', async () => {
    const { project, change } = await settings();
    expect((await change({ create_issue: false })).body).toEqual(DEFAULTS);
    expect(await trailOf(app, project)).toEqual([]);
  });

  it('come out right when they are first changed by two at once', async () => {
    const { read, change } = await settings();
    await Promise.all([change({ send_email: true }), change({ create_issue: true })]);
    expect((await read()).body).toEqual({ ...DEFAULTS, send_email: true, create_issue: true });
  });

  it.each<[string, object, string]>([
    ['a word for a switch', { send_email: 'maybe' }, 'send_email is invalid'],
    ['a role below', { email_access_level: 20 }, 'email_access_level does not have a valid value'],
    [
      'a role between',
      { email_access_level: 45 },
      'email_access_level does not have a valid value',
    ],
    ['no hours', { auto_resolve_hours: 0 }, 'auto_resolve_hours has a value not allowed'],
    ['8,761 hours', { auto_resolve_hours: 8_761 }, 'auto_resolve_hours has a value not allowed'],
    ['half an hour', { auto_resolve_hours: 0.5 }, 'auto_resolve_hours is invalid'],
    ['a path', { issue_template_key: '../secret' }, 'issue_template_key is invalid'],
    ['a hidden file', { issue_template_key: '.env' }, 'issue_template_key is invalid'],
    ['256 characters', { issue_template_key: 'x'.repeat(256) }, 'issue_template_key is too long'],
    [
      'nothing',
      { unknown: 1 },
      'create_issue, issue_template_key, send_email, email_access_level, confidential_incidents, auto_close_incident, auto_resolve_hours are missing, at least one parameter must be provided',
    ],
  ])('refuse %s', async (_, body, error) => {
    const { read, change } = await settings();
    const response = await change(body);
    expect({ status: response.status, body: response.body as unknown }).toMatchObject({
      status: 400,
      body: { error },
    });
    expect((await read()).body).toEqual(DEFAULTS);
  });

  it('are for maintainers', async () => {
    const { project, path } = await settings();
    const developer = await makeMemberOf(app, project, 'developer');
    expect((await developer.api.get(path('/settings'))).status).toBe(403);
    expect((await developer.api.put(path('/settings'), { send_email: true })).status).toBe(403);
  });
});
