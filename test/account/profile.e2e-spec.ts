import { beforeAll, describe, expect, it } from '@jest/globals';
import { User, UserEmail } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { textOf } from '../support/html.js';
import { makeVisitor } from '../support/page-client.js';

const PATH = '/-/user_settings/profile';

const PROFILE = {
  name: 'Ada "the first" <Lovelace>',
  public_email: '',
  bio: 'Counts.\nAnd notes.',
  location: 'London',
  website_url: 'https://ada.example.com/?a=1&b=2',
  organization: 'Engines Ltd',
  job_title: 'Analyst',
  pronouns: 'she/her',
  private_profile: 'true',
};

/** Entity properties of the form's fields. */
const EDITABLE = ['publicEmail', 'websiteUrl', 'jobTitle', 'privateProfile'];

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function makeEmail(user: { id: number }, isConfirmed: boolean): Promise<string> {
  const email = `also-${user.id}-${isConfirmed}@example.com`;
  const confirmedAt = isConfirmed ? new Date() : null;
  await app.dataSource.manager.insert(UserEmail, { userId: user.id, email, confirmedAt });
  return email;
}

describe('the page of the profile', () => {
  it('changes what people say about themselves', async () => {
    const { user, pages } = await makeVisitor(app);
    await pages.post(PATH, PROFILE).expect(303).expect('Location', PATH);
    const { body } = await pages.get('/api/v4/user').expect(200);
    expect(body).toMatchObject({ ...PROFILE, private_profile: true, username: user.username });
    const { text } = await pages.get(PATH).expect(200);
    expect(text).toContain('value="https://ada.example.com/?a=1&amp;b=2"');
    expect(text).not.toContain('<Lovelace>');
    expect(text).toContain('checked');
  });

  it('changes no other column of the account under any name', async () => {
    const { user, pages } = await makeVisitor(app);
    const row = () => app.dataSource.manager.findOneByOrFail(User, { id: user.id });
    const before = await row();
    const names = app.dataSource
      .getMetadata(User)
      .columns.flatMap(({ propertyName, databaseName }) => [propertyName, databaseName])
      .filter((name) => !Object.hasOwn(PROFILE, name) && !EDITABLE.includes(name));
    const guesses = names.flatMap((name) => [name, `user[${name}]`]);
    const fields = Object.fromEntries(guesses.map((name) => [name, 'true']));
    await pages.post(PATH, { ...fields, name: before.name }).expect(303);
    expect({ ...(await row()), updatedAt: before.updatedAt }).toEqual(before);
  });

  it('leaves alone what the form does not hold', async () => {
    const { user, pages } = await makeVisitor(app, {
      bio: 'stays',
      websiteUrl: 'https://stays.example',
    });
    await pages.post(PATH, { name: 'Only the name', admin: 'true', state: 'banned' }).expect(303);
    const { body } = await pages.get('/api/v4/user').expect(200);
    expect(body).toMatchObject({
      name: 'Only the name',
      bio: 'stays',
      website_url: 'https://stays.example',
      username: user.username,
      state: 'active',
    });
    expect(body).not.toHaveProperty('is_admin');
  });

  it.each([
    [{ name: '' }, "Name can't be blank."],
    [{ name: 'x'.repeat(256) }, 'Name is too long.'],
    [{ bio: 'x'.repeat(256) }, 'Bio is too long.'],
    [{ website_url: 'javascript:alert(1)' }, 'Website url must be a URL with http or https.'],
    [{ website_url: 'https://' }, 'Website url must be a URL with http or https.'],
    [{ public_email: 'of@another.example' }, 'Public email must be a confirmed address of yours.'],
    [{ private_profile: 'perhaps' }, 'Private profile is invalid.'],
  ])('shows the form again as it was sent for %j', async (wrong, problem) => {
    const { pages } = await makeVisitor(app, { name: 'Unchanged' });
    const { text } = await pages.post(PATH, { ...PROFILE, ...wrong }).expect(422);
    expect(textOf(text)).toContain(problem);
    expect(text).toContain('value="Analyst"');
    const { body } = await pages.get('/api/v4/user').expect(200);
    expect(body).toMatchObject({ name: 'Unchanged', job_title: '' });
  });

  it('offers confirmed addresses as the public email', async () => {
    const { user, pages } = await makeVisitor(app);
    const [confirmed, claimed] = [await makeEmail(user, true), await makeEmail(user, false)];
    const { text } = await pages.get(PATH).expect(200);
    expect(text).toContain(`value="${user.email}"`);
    expect(text).toContain(`value="${confirmed}"`);
    expect(text).not.toContain(claimed);
    await pages.post(PATH, { ...PROFILE, public_email: claimed }).expect(422);
    await pages.post(PATH, { ...PROFILE, public_email: confirmed }).expect(303);
    expect((await pages.get('/api/v4/user').expect(200)).body).toMatchObject({
      public_email: confirmed,
    });
  });

  it('does not show an address that was never confirmed', async () => {
    const { user, pages } = await makeVisitor(app, { confirmedAt: null });
    await pages.post(PATH, { ...PROFILE, public_email: user.email }).expect(422);
  });
});
