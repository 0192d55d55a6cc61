import { env, exit } from 'node:process';
import { setTimeout } from 'node:timers/promises';

/** @typedef {(method: string, path: string, body?: object) => Promise<any>} Request */

/**
 * Copies labels, milestones, issues and comments of a project from one version 4 API to another:
 *
 *   SOURCE=https://gitlab.example.com/api/v4/projects/acme%2Fshop SOURCE_TOKEN=… \
 *   TARGET=https://code.example.com/api/v4/projects/acme%2Fshop TARGET_TOKEN=… node import-issues.js
 *
 * Numbers and times are kept. Run again, it continues with the issues that are missing; delete one
 * whose comments are incomplete. Above the rate limit it waits.
 */
const source = connect(env.SOURCE, env.SOURCE_TOKEN);
const target = connect(env.TARGET, env.TARGET_TOKEN);

await copyLabels();
const milestones = await copyMilestones();
await copyIssues();

async function copyLabels() {
  const existing = new Set((await all(target, '/labels')).map(({ name }) => name));
  for (const { name, color, description } of await all(
    source,
    '/labels?include_ancestor_groups=false',
  )) {
    if (existing.has(name)) continue;
    await target('POST', '/labels', { name, color, description: description ?? '' });
  }
}

/** Returns the ID of each milestone in the target by its title. */
async function copyMilestones() {
  const ids = new Map((await all(target, '/milestones')).map(({ title, id }) => [title, id]));
  for (const milestone of await all(source, '/milestones')) {
    if (ids.has(milestone.title)) continue;
    const { title, description, due_date, start_date } = milestone;
    const body = { title, description, due_date, start_date };
    const { id } = await target('POST', '/milestones', body);
    if (milestone.state === 'closed') {
      await target('PUT', `/milestones/${id}`, { state_event: 'close' });
    }
    ids.set(title, id);
  }
  return ids;
}

async function copyIssues() {
  const done = new Set((await all(target, '/issues?scope=all')).map(({ iid }) => iid));
  for (const issue of await all(source, '/issues?scope=all&sort=asc')) {
    if (done.has(issue.iid)) continue;
    const { iid, title, created_at, due_date, confidential, labels } = issue;
    await target('POST', '/issues', {
      iid,
      title,
      created_at,
      due_date,
      confidential,
      labels: labels.join(','),
      description: signed(issue.author, issue.description ?? ''),
      milestone_id: milestones.get(issue.milestone?.title),
    });
    for (const note of await all(source, `/issues/${iid}/notes?sort=asc`)) {
      if (note.system) continue;
      const body = signed(note.author, note.body);
      const { internal = false } = note;
      await target('POST', `/issues/${iid}/notes`, { body, internal, created_at: note.created_at });
    }
    if (issue.state === 'closed') await target('PUT', `/issues/${iid}`, { state_event: 'close' });
    console.log(`#${iid} ${title}`);
  }
}

/**
 * The token's user writes everything, so the text names its author; without `@`, which notifies.
 * @param {{ name: string, username: string }} author
 * @param {string} text
 */
function signed({ name, username }, text) {
  return `_${name} (${username}):_\n\n${text}`;
}

/**
 * Returns all pages of a list.
 * @param {Request} request
 * @param {string} path
 */
async function all(request, path) {
  const rows = [];
  for (let page = 1; ; page += 1) {
    const separator = path.includes('?') ? '&' : '?';
    const next = await request('GET', `${path}${separator}per_page=100&page=${page}`);
    rows.push(...next);
    if (next.length < 100) return rows;
  }
}

/**
 * Returns a function that sends requests below a project; exits with the first refusal.
 * @param {string | undefined} project
 * @param {string | undefined} token
 * @returns {Request}
 */
function connect(project, token) {
  const send = async (/** @type {Parameters<Request>} */ ...[method, path, body]) => {
    const response = await fetch(`${project}${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': token ?? '', 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response.json();
    if (response.status === 429) {
      await setTimeout(Number(response.headers.get('Retry-After') ?? 1) * 1000);
      return send(method, path, body);
    }
    console.error(`${method} ${project}${path}: ${response.status} ${await response.text()}`);
    return exit(1);
  };
  return send;
}
