import { beforeAll, describe, expect, it } from '@jest/globals';
import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import { SETTING_NAMES } from '../../src/core/settings/settings.js';
import { SETTING_SECTIONS } from '../../src/instance/settings/pages/setting-sections.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import { changeSettings } from '../support/settings.js';

const PATH = '/admin/application_settings';

let app: TestApp;
let pages: PageClient;
beforeAll(async () => {
  app = await sharedTestApp();
  ({ pages } = await makeVisitor(app, { admin: true }));
});

function values(): InstanceSettings['values'] {
  return app.app.get(InstanceSettings).values;
}

/** Returns the fields that the browser would send for an unchanged section. */
async function formOf(section: string): Promise<Record<string, string>> {
  const { text } = await pages.get(PATH).expect(200);
  const form = text.split(`action="${PATH}/${section}"`)[1]?.split('</form>')[0] ?? '';
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const name = / name="([^"]*)"/.exec(input)?.[1] ?? '';
    const isUnticked = input.includes('type="checkbox"') && !/ checked\b/.test(input);
    if (!isUnticked) fields[name] = / value="([^"]*)"/.exec(input)?.[1] ?? '';
  }
  for (const [, name = '', content = ''] of form.matchAll(
    /<textarea[^>]* name="([^"]*)"[^>]*>([\s\S]*?)<\/textarea>/g,
  )) {
    fields[name] = content.trimStart();
  }
  for (const [select] of form.matchAll(/<select[\s\S]*?<\/select>/g)) {
    const name = / name="([^"]*)"/.exec(select)?.[1] ?? '';
    const option = /<option[^>]* selected[^>]*>/.exec(select)?.[0] ?? '';
    fields[name] = / value="([^"]*)"/.exec(option)?.[1] ?? '';
  }
  return fields;
}

describe('GET /admin/application_settings', () => {
  it('has a field for every setting, each in one section', async () => {
    const { text } = await pages.get(PATH).expect(200);
    const missing = SETTING_NAMES.filter((name) => !text.includes(`name="${name}`));
    const grouped = SETTING_SECTIONS.flatMap(({ names }) => names);
    // Without storages with weights there would be no field.
    expect(missing).toEqual([]);
    expect(grouped.toSorted()).toEqual(SETTING_NAMES.toSorted());
  });

  it.each(SETTING_SECTIONS.map(({ id }) => id))(
    'changes nothing in %s as it is sent',
    async (id) => {
      const before = values();
      await pages.post(`${PATH}/${id}`, await formOf(id)).expect(303);
      expect(values()).toEqual(before);
    },
  );

  it('never shows a secret', async () => {
    await changeSettings(app, { akismet_api_key: 'top-secret-key' });
    const { text } = await pages.get(PATH).expect(200);
    expect(text).not.toContain('top-secret-key');
    expect(text).toContain('Leave blank to keep the current value.');
    expect(text).toContain('name="remove_akismet_api_key"');
    const form = await formOf('spam');
    await pages.post(`${PATH}/spam`, form).expect(303);
    expect(values().akismet_api_key).toBe('top-secret-key');
    await pages.post(`${PATH}/spam`, { ...form, remove_akismet_api_key: 'true' }).expect(303);
    expect(values().akismet_api_key).toBe('');
  });
});

describe('POST /admin/application_settings/:section', () => {
  it('changes the settings of the section at once and leads back to it', async () => {
    const form = await formOf('sign-up');
    const sent = { ...form, signup_enabled: 'true', email_confirmation_setting: 'soft' };
    const { headers } = await pages.post(`${PATH}/sign-up`, sent).expect(303);
    expect(headers['location']).toBe(`${PATH}#sign-up`);
    expect(values()).toMatchObject({ signup_enabled: true, email_confirmation_setting: 'soft' });
  });

  it('takes lists by line and numbers by storage', async () => {
    const limits = {
      ...(await formOf('limits')),
      protected_paths: '/users/sign_in\r\n\r\n/oauth ',
    };
    await pages.post(`${PATH}/limits`, limits).expect(303);
    const weights = {
      'repository_storages_weighted[default]': '25',
      'repository_storages_weighted[storage2]': '',
    };
    await pages.post(`${PATH}/storages`, weights).expect(303);
    expect(values()).toMatchObject({
      protected_paths: ['/users/sign_in', '/oauth'],
      repository_storages_weighted: { default: 25 },
    });
  });

  it('shows the form again with what was sent and what is wrong with it', async () => {
    const before = values();
    const sent = {
      ...(await formOf('sign-in')),
      minimum_password_length: '3',
      session_expire_delay: '',
      remember_me_days: 'many',
    };
    const { text } = await pages.post(`${PATH}/sign-in`, sent).expect(422);
    expect(text).toContain('Session expire delay is missing.');
    const second = await pages.post(`${PATH}/sign-in`, { ...sent, session_expire_delay: '5' });
    expect(second.status).toBe(422);
    expect(second.text).toContain('Minimum password length has a value not allowed.');
    expect(second.text).toContain('Remember me days is invalid.');
    expect(second.text).toMatch(/<input[^>]*value="many"[^>]*aria-invalid="true"/);
    expect(values()).toEqual(before);
  });

  it('escapes what was sent', async () => {
    const sent = { ...(await formOf('limits')), protected_paths: '</textarea><script>1</script>' };
    const { text } = await pages.post(`${PATH}/limits`, sent).expect(422);
    expect(text).toContain('&lt;/textarea>&lt;script>1');
    expect(text).not.toContain('<script>1');
  });

  it('answers 404 for a section that there is not', async () => {
    await pages.post(`${PATH}/nothing`).expect(404);
  });
});
