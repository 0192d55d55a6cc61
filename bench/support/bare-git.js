import { execFile } from 'node:child_process';
import { createServer } from 'node:http';

const { PORT, REPOSITORY = '' } = process.env;
const PER_PAGE = 100;
const FIELDS = ['%H', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%s', '%B'];

/**
 * Cost of reading a repository without a framework: node:http, and one git process per request for
 * as large a page as the request names.
 */
createServer((request, response) => {
  const answer = request.url === '/commits' ? commits() : tree();
  answer.then(
    (body) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    },
    () => response.writeHead(500).end(),
  );
}).listen(Number(PORT), '127.0.0.1');

async function tree() {
  const output = await git(['ls-tree', '-z', 'wide']);
  const entries = output
    .split('\0')
    .slice(0, -1)
    .map((line) => {
      const [facts = '', path = ''] = line.split('\t');
      const [mode, type, id] = facts.split(' ');
      return { id, name: path, type, path, mode };
    });
  return entries.slice(0, PER_PAGE);
}

async function commits() {
  const format = `--format=${FIELDS.join('%x00')}`;
  const fields = (await git(['log', '-z', format, '-21', 'main'])).split('\0');
  const found = [];
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    const [id, parents, name, email, authored, committer, address, committed, title, message] =
      fields.slice(at, at + FIELDS.length);
    const people = { author_name: name, author_email: email, committer_name: committer };
    const dates = { authored_date: authored, committed_date: committed, created_at: committed };
    const parent_ids = parents?.split(' ') ?? [];
    found.push({ id, parent_ids, ...people, committer_email: address, ...dates, title, message });
  }
  return found.slice(0, 20);
}

/** @param {string[]} args @returns {Promise<string>} */
function git(args) {
  return new Promise((resolve, reject) => {
    const options = { cwd: REPOSITORY, maxBuffer: 16 * 1024 * 1024 };
    execFile('git', args, options, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
}
