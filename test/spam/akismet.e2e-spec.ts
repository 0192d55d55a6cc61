import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Writable } from 'node:stream';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { startFormServer, type FormServer } from '../support/form-server.js';
import { changeSettings } from '../support/settings.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

const KEY = 'key-of-the-spam-service';

let app: OwnTestApp;
let author: MadeActor;
let place: MadeProject;
let service: FormServer;
const lines: string[] = [];

/** Judges the author as spam that the service's documentation names for tests. */
const judge: FormServer['answer'] = ({ fields }, response) => {
  if (fields['api_key'] !== KEY) {
    response.setHeader('X-akismet-debug-help', 'We were unable to parse your blog URI');
    response.end('invalid');
    return;
  }
  const content = fields['comment_content'] ?? '';
  if (content.includes('blatant')) response.setHeader('X-akismet-pro-tip', 'discard');
  response.end(String(content.includes('viagra-test-123')));
};

beforeAll(async () => {
  const logDestination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  service = await startFormServer(judge);
  app = await startTestApp({ env: { LOG_LEVEL: 'warn' }, logDestination });
  author = await makeActor(app);
  place = await makeProject(app, { namespaceId: author.user.namespaceId, visibility: 'public' });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

beforeEach(async () => {
  service.answer = judge;
  service.received.length = 0;
  lines.length = 0;
  await changeSettings(app, {
    akismet_enabled: true,
    akismet_url: service.url,
    akismet_api_key: KEY,
    recaptcha_enabled: false,
  });
});

function post(body: object, actor = author) {
  return actor.api.post(`/projects/${place.id}/issues`, body);
}

describe('a spam service', () => {
  it('is asked with the form of comment-check', async () => {
    const response = await post({ title: 'Roof leaks', description: 'Over the hall' })
      .set('User-Agent', 'a browser')
      .set('Referer', 'https://guildhall.example/new');

    expect(response.status).toBe(201);
    expect(service.received).toEqual([
      {
        path: 'POST /1.1/comment-check',
        contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
        fields: {
          api_key: KEY,
          blog: app.url,
          blog_charset: 'UTF-8',
          user_ip: '127.0.0.1',
          user_agent: 'a browser',
          referrer: 'https://guildhall.example/new',
          comment_type: 'forum-post',
          comment_author: author.user.name,
          comment_author_email: author.user.email,
          comment_content: 'Roof leaks\nOver the hall',
        },
      },
    ]);
  });

  it('sees the files of snippets', async () => {
    const response = await author.api.post('/snippets', {
      title: 'Notes',
      visibility: 'internal',
      files: [{ file_path: 'a', content: 'All about viagra-test-123' }],
    });

    expect([response.status, response.body]).toEqual([
      400,
      { message: { error: 'Your snippet has been recognized as spam and has been discarded.' } },
    ]);
    expect(service.received[0]?.fields).toMatchObject({ comment_type: 'comment' });
  });

  it('sees comments as replies', async () => {
    const created = await post({ title: 'Roof leaks again' }).expect(201);
    const path = `/projects/${place.id}/issues/${(created.body as { iid: number }).iid}/notes`;
    const response = await author.api.post(path, { body: 'All about viagra-test-123' });

    expect(response.status).toBe(400);
    expect(service.received[1]?.fields).toMatchObject({
      comment_type: 'reply',
      comment_content: 'All about viagra-test-123',
    });
  });

  it('that finds spam leads to the CAPTCHA where there is one', async () => {
    const captcha = await startFormServer((_, response) => void response.end('{"success":true}'));
    await changeSettings(app, {
      recaptcha_enabled: true,
      recaptcha_site_key: 'public',
      recaptcha_private_key: 'private',
      recaptcha_verify_url: captcha.url,
    });
    const body = { title: 'viagra-test-123' };
    const refused = await post(body);
    const { spam_log_id: id } = refused.body as { spam_log_id: number };
    const accepted = await post(body)
      .set('X-Svc-Spam-Log-Id', String(id))
      .set('X-Svc-Captcha-Response', 'solved');
    await captcha.close();

    expect([refused.status, accepted.status]).toEqual([409, 201]);
    expect(service.received).toHaveLength(1);
  });

  it('that advises to discard leaves no way out', async () => {
    await changeSettings(app, {
      recaptcha_enabled: true,
      recaptcha_site_key: 'public',
      recaptcha_private_key: 'private',
    });
    const response = await post({ title: 'blatant viagra-test-123' });

    expect([response.status, response.body]).toEqual([
      400,
      { message: { error: 'Your issue has been recognized as spam and has been discarded.' } },
    ]);
  });

  it('is not asked about administrators, nor about what the local rules refuse', async () => {
    const spam = Array.from({ length: 61 }, (_, n) => `Buy https://shop${n}.example/ now`).join(
      '\n',
    );

    expect((await post({ title: 'viagra-test-123' }, await makeAdmin(app))).status).toBe(201);
    expect((await post({ title: 'x', description: spam })).status).toBe(400);
    expect(service.received).toEqual([]);
  });

  it('is not asked while it is off or has no key', async () => {
    await changeSettings(app, { akismet_enabled: false });
    expect((await post({ title: 'One viagra-test-123' })).status).toBe(201);
    await changeSettings(app, { akismet_enabled: true, akismet_api_key: '' });
    expect((await post({ title: 'Two viagra-test-123' })).status).toBe(201);
    expect(service.received).toEqual([]);
  });
});

describe('a spam service that does not help', () => {
  it.each<[string, FormServer['answer']]>([
    ['answers 503', (_, response) => void response.writeHead(503).end()],
    ['answers something else', (_, response) => void response.end('maybe')],
    ['redirects', (_, response) => void response.writeHead(302, { Location: '/' }).end()],
    ['cuts the connection', (_, response) => void response.destroy()],
    ['does not end', (_, response) => void response.write('t'.repeat(70_000))],
    ['never answers', () => undefined],
  ])('because it %s blocks no one, with a line in the log', async (_, answer) => {
    const actor = await makeActor(app);
    service.answer = answer;

    expect((await post({ title: 'viagra-test-123' }, actor)).status).toBe(201);
    expect(service.received).toHaveLength(1);
    expect(lines.join('')).toContain('The spam service');
    expect(lines.join('')).not.toContain(KEY);
  });

  it('because the key is wrong tells so in the log, and the local rules still speak', async () => {
    await changeSettings(app, { akismet_api_key: 'another' });
    const spam = Array.from({ length: 61 }, (_, n) => `Buy https://shop${n}.example/ now`).join(
      '\n',
    );

    expect((await post({ title: 'Three viagra-test-123' })).status).toBe(201);
    expect(lines.join('')).toContain('We were unable to parse your blog URI');
    expect((await post({ title: 'x', description: spam })).status).toBe(400);
  });
});
