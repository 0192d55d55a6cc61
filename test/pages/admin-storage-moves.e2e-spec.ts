import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import { makeGroup } from '../support/project-factories.js';
import {
  makeMovableProject,
  makeMovableSnippet,
  makeProjectRow,
} from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

const PATH = '/admin/storage_moves';

let app: OwnTestApp;
let pages: PageClient;
let owner: MadeUser;
beforeAll(async () => {
  app = await startTestApp();
  ({ pages } = await makeVisitor(app, { admin: true }));
  owner = await makeUser(app);
});
afterAll(() => app.close());

/** Asks for the move of a new project and answers the path of the move's page. */
async function scheduledMove(): Promise<string> {
  const project = await makeMovableProject(app, owner);
  const form = {
    kind: 'project',
    container: String(project.id),
    destination_storage_name: 'storage2',
  };
  const { headers } = await pages.post(PATH, form).expect(303);
  return headers['location'] ?? '';
}

async function failMove(path: string): Promise<void> {
  await pages.post(`${path}/cancel`).expect(303);
}

describe('POST /admin/storage_moves', () => {
  it('schedules the move of a project that is named by its path', async () => {
    const project = await makeMovableProject(app, owner);
    const container = `${owner.username}/${project.path}`;
    const { headers } = await pages
      .post(PATH, { kind: 'project', container, destination_storage_name: 'storage2' })
      .expect(303);
    expect(headers['location']).toMatch(/^\/admin\/storage_moves\/project\/\d+$/);
    const { text } = await pages.get(headers['location'] ?? '').expect(200);
    expect(textOf(text)).toMatch(/default → storage2 Queued #\d+ in queue/);
    expect(text).toContain(`<a href="/${container}">${container}</a>`);
  });

  it('rejects a move without an available destination', async () => {
    const { id } = await makeMovableSnippet(app, owner);
    const form = { kind: 'snippet', container: String(id), destination_storage_name: '' };
    const { text } = await pages.post(PATH, form).expect(422);
    expect(text).toContain('No other storage has a weight above 0. Choose a destination.');
  });

  it('names the storage of the repository and suggests another one', async () => {
    const repositoryStorage = 'storage2';
    const { id } = await makeMovableProject(app, owner, { repositoryStorage });
    const fields = { kind: 'project', container: String(id) };
    const query = new URLSearchParams({ ...fields, from: 'default' }).toString();
    const { text } = await pages.get(`${PATH}/new?${query}`).expect(200);
    expect(text).toMatch(/<option value="default" selected/);
    expect(textOf(text)).toContain('Currently on storage2.');
    const form = { ...fields, destination_storage_name: 'default', dry_run: 'true' };
    const forecast = await pages.post(PATH, form).expect(200);
    expect(textOf(forecast.text)).toContain('Currently on storage2.');
    const refused = await pages.post(PATH, { ...fields, destination_storage_name: 'x' });
    expect(refused.status).toBe(422);
    expect(textOf(refused.text)).toContain('Currently on storage2.');
  });

  it.each(['container=999999999', 'kind=snippet&container=x', 'kind=x&container=1', ''])(
    'names no storage for what does not exist: %s',
    async (query) => {
      const { text } = await pages.get(`${PATH}/new?from=anything&${query}`).expect(200);
      expect(textOf(text)).not.toContain('Currently on');
    },
  );

  it.each(['new', 'bulk'])('leaves no choice to weights between two storages: %s', async (form) => {
    const { text } = await pages.get(`${PATH}/${form}`).expect(200);
    const field =
      /<select [^>]*name="destination_storage_name".*?<\/select>/s.exec(text)?.[0] ?? '';
    expect(field).toMatch(/^<select [^>]*required/);
    expect(textOf(field)).toBe('Choose a storage default storage2');
  });

  it('shows the result of a dry run', async () => {
    const project = await makeMovableProject(app, owner);
    const form = {
      kind: 'project',
      container: String(project.id),
      destination_storage_name: 'storage2',
      dry_run: 'true',
    };
    const { text } = await pages.post(PATH, form).expect(200);
    expect(textOf(text)).toMatch(/Dry-run result From default To storage2 Size [\d.]+ k?B in/);
    expect(text).toContain('No blockers found.');
    const moves = await app.dataSource.query(
      'SELECT 1 FROM project_repository_storage_moves WHERE project_id = $1',
      [project.id],
    );
    expect(moves).toEqual([]);
  });

  it.each([
    [{ container: '999999999' }, 'Container does not exist.'],
    [{ container: 'no/such-project' }, 'Container does not exist.'],
    [{ container: '' }, 'Container is missing.'],
    [{ kind: 'snippet', container: 'text' }, 'Id is invalid.'],
    [{ kind: 'nothing', container: '1' }, 'Kind does not have a valid value.'],
  ])('shows the form again for %j', async (fields, problem) => {
    const form = { kind: 'project', destination_storage_name: 'storage2', ...fields };
    const { text } = await pages.post(PATH, form).expect(422);
    expect(text).toContain(problem);
  });

  it('rejects a project that is already being moved', async () => {
    const project = await makeProjectRow(app, owner, { repositoryReadOnly: true });
    const container = String(project.id);
    const form = { kind: 'project', container, destination_storage_name: 'storage2' };
    const { text } = await pages.post(PATH, form).expect(422);
    expect(text).toContain('<a href="#field-container">Project is read-only.</a>');
  });
});

describe('POST /admin/storage_moves/bulk', () => {
  it('counts the repositories in a dry run, and accepts the request', async () => {
    await makeMovableProject(app, owner);
    const form = { source_storage_name: 'default', destination_storage_name: 'storage2' };
    const told = await pages.post(`${PATH}/bulk`, { ...form, dry_run: 'true' }).expect(200);
    expect(textOf(told.text)).toMatch(
      /From default To storage2 Repositories to move \d+ Projects \d+ Snippets \d+ Groups \d+/,
    );
    expect(textOf(told.text)).toContain('This moves all repositories (');
    await pages.post(`${PATH}/bulk`, form).expect(303);
    const batches = await app.dataSource.query('SELECT kind FROM storage_move_batches');
    expect(batches).toEqual([{ kind: 'project' }, { kind: 'snippet' }, { kind: 'group' }]);
    const { text } = await pages.get(PATH).expect(200);
    expect(textOf(text)).toMatch(/Draining default → storage2 0 of \d+ /);
    expect(text.match(/>Draining </g)).toHaveLength(1);
    await app.dataSource.query('UPDATE storage_move_batches SET finished_at = now()');
    const ended = textOf((await pages.get(PATH).expect(200)).text);
    expect(ended).toContain('default → storage2 Done Projects, Snippets, Groups · 0 moved');
  });

  it('shows the form again when no storage is chosen', async () => {
    const { text } = await pages.post(`${PATH}/bulk`, { source_storage_name: '' }).expect(422);
    expect(text).toContain('Source storage name is missing.');
  });
});

describe('the page of a move', () => {
  it('cancels it, shows the reason and schedules it again', async () => {
    const path = await scheduledMove();
    await failMove(path);
    const { text } = await pages.get(path).expect(200);
    expect(textOf(text)).toMatch(/Failed Cancelled by \w+/);
    expect(text).not.toContain('hx-get');
    const { headers } = await pages.post(`${path}/retry`).expect(303);
    expect(headers['location']).not.toBe(path);
    const refused = await pages.post(`${path}/cancel`).expect(303);
    expect(refused.headers['location']).toBe(path);
    expect((await pages.get(path)).text).toContain(`action="${path}/retry"`);
  });

  it('has a live part that asks for itself until the move is over', async () => {
    const path = await scheduledMove();
    const { text, headers } = await pages.get(`${path}/live`).expect(200);
    expect(text).toMatch(
      new RegExp(
        `^<section id="move" aria-label="[^"]+" hx-get="${path}/live" hx-trigger="every 1s"`,
      ),
    );
    expect(text).toMatch(/name="authenticity_token" value="[\w-]{86}"/);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    await failMove(path);
    expect((await pages.get(`${path}/live`)).text).not.toContain('hx-trigger');
  });

  it('answers 404 for what there is not', async () => {
    await pages.get(`${PATH}/project/999999999`).expect(404);
    await pages.get(`${PATH}/wiki/1`).expect(404);
    await pages.post(`${PATH}/project/999999999/cancel`).expect(404);
  });
});

describe('GET /admin/storage_moves', () => {
  it('lists the moves of all kinds and filters them', async () => {
    const path = await scheduledMove();
    const id = path.split('/').at(-1) ?? '';
    const row = `id="move-project-${id}"`;
    const all = await pages.get(PATH).expect(200);
    const failed = await pages.get(`${PATH}?state=failed`).expect(200);
    const snippets = await pages.get(`${PATH}?kind=snippet`).expect(200);
    const away = await pages.get(`${PATH}?source_storage_name=storage2`).expect(200);
    const found = [all, failed, snippets, away].map(({ text }) => text.includes(row));
    expect(found).toEqual([true, false, false, false]);
    const { id: snippetId } = await makeMovableSnippet(app, owner);
    const form = { kind: 'snippet', container: String(snippetId) };
    await pages.post(PATH, { ...form, destination_storage_name: 'storage2' }).expect(303);
    const page = async (number: number): Promise<string[]> => {
      const { text } = await pages.get(`${PATH}?per_page=1&page=${number}`).expect(200);
      return [...text.matchAll(/ id="move-(\w+)-\d+"/g)].map(([, kind]) => String(kind));
    };
    expect(await Promise.all([page(1), page(2)])).toEqual([['snippet'], ['project']]);
  });

  it('has a live part with the same rows, filters and page', async () => {
    await scheduledMove();
    const whole = await pages.get(`${PATH}?state=scheduled&per_page=1`).expect(200);
    const address = /hx-get="([^"]+)"/.exec(whole.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(address).toBe('/admin/storage_moves/live?state=scheduled&per_page=1');
    const { text } = await pages.get(address).expect(200);
    expect(text).toMatch(/^<section id="moves"/);
    expect(text).toContain('Queued</span>');
    expect(text).not.toContain('<html');
  });

  it('takes the filters as they are sent when none is chosen', async () => {
    const path = await scheduledMove();
    const none = 'kind=project&state=&source_storage_name=&destination_storage_name=';
    const whole = await pages.get(`${PATH}?${none}`).expect(200);
    expect(whole.text).toContain(`href="${path}"`);
    const address = /hx-get="([^"]+)"/.exec(whole.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await pages.get(address).expect(200)).text).toContain(`href="${path}"`);
  });

  it('shows names as text', async () => {
    const { id } = await makeMovableSnippet(app, owner);
    const title = '<b onclick=alert(1)>bold</b>';
    await app.dataSource.query('UPDATE snippets SET title = $2 WHERE id = $1', [id, title]);
    const form = { kind: 'snippet', container: String(id), destination_storage_name: 'storage2' };
    await pages.post(PATH, form).expect(303);
    const { text } = await pages.get(`${PATH}?kind=snippet`).expect(200);
    expect(text).toContain('&lt;b onclick=alert(1)>bold&lt;/b>');
  });

  it('draws how the moves of the last days ended', async () => {
    const path = await scheduledMove();
    await failMove(path);
    const { text } = await pages.get(`${PATH}/live`).expect(200);
    const today = new Date().toISOString().slice(0, 10);
    expect(text).toContain(`<title>${today}: `);
    expect(textOf(text)).toMatch(new RegExp(`Day \\(UTC\\) .*Failed Total ${today} `));
  });
});

describe('the settings of a project', () => {
  it('lead administrators, and nobody else, to its move', async () => {
    const { pages: own, user } = await makeVisitor(app);
    const project = await makeMovableProject(app, user);
    const path = `/${user.username}/${project.path}/-/edit`;
    const move = `${PATH}/new?kind=project&amp;container=${user.username}%2F${project.path}`;
    expect((await own.get(path).expect(200)).text).not.toContain(move);
    const { text } = await pages.get(path).expect(200);
    expect(text).toContain(move);
    expect(textOf(text)).toContain('Stored on default .');
    const form = (await pages.get(move.replace('&amp;', '&')).expect(200)).text;
    expect(form).toContain(`value="${user.username}/${project.path}"`);
  });
});

describe('the settings of a group', () => {
  it('name its move by ID where its path would be read as one', async () => {
    const { id, fullPath } = await makeGroup(app, { path: `2024${Date.now()}` });
    const { text } = await pages.get(`/groups/${fullPath}/-/edit`).expect(200);
    expect(text).toContain(`${PATH}/new?kind=group&amp;container=${id}"`);
  });
});

describe('GET /admin/storages', () => {
  it('shows the disk usage and content of each storage', async () => {
    await makeProjectRow(app, owner);
    const { text } = await pages.get('/admin/storages').expect(200);
    expect(text).toMatch(/<meter [^>]*aria-label="Disk usage of storage2"/);
    expect(textOf(text)).toMatch(
      /default Healthy \d+% of [\d.]+ [kMGT]B used, [\d.]+ [kMGT]B free/,
    );
    expect(textOf(text)).toMatch(
      /Share of new repositories 100% \(weight 100\) Contains \d+ projects?/,
    );
    expect(textOf(text)).toMatch(/from default to storage2: .* Destination storage2 Dry run/);
  });

  it('changes the limits of a storage', async () => {
    const form = { paused: 'true', max_in: '4', max_out: '3', bytes_per_second: '1000000' };
    await pages.post('/admin/storages/storage2', form).expect(303);
    const { text } = await pages.get('/admin/storages').expect(200);
    expect(textOf(text)).toContain('storage2 Paused');
    expect(textOf(text)).toContain('(limit 1.0 MB/s)');
    const open = { ...form, paused: 'false', bytes_per_second: '' };
    await pages.post('/admin/storages/storage2', open).expect(303);
    const again = await pages.get('/admin/storages/storage2').expect(200);
    expect(again.text).toMatch(
      /<input[^>]*type="number" value min="1" id="field-bytes_per_second"/,
    );
  });

  it('shows the form again with what is wrong, and 404 for no storage of ours', async () => {
    const { text } = await pages.post('/admin/storages/storage2', { max_in: '99' }).expect(422);
    expect(text).toContain('Max in has a value not allowed.');
    await pages.get('/admin/storages/storage9').expect(404);
    await pages.post('/admin/storages/storage9', { max_in: '2' }).expect(404);
  });
});

describe('a move that a worker carries out', () => {
  let worker: INestApplicationContext;
  beforeAll(async () => {
    worker = await startTestWorker(app);
  });
  afterAll(() => worker.close());

  it('is shown as finished with its size', async () => {
    const path = await scheduledMove();
    await eventually(async () => {
      const { text } = await pages.get(`${path}/live`);
      expect(textOf(text)).toMatch(/Finished [\d.]+ k?B in [\d.]+ s · read-only for/);
      expect(text).not.toContain('hx-get');
    });
  });
});
