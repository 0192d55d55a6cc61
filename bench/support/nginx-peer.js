import { access, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startGuarded } from '../../deploy/local/guarded-process.js';
import { freePort } from '../../deploy/local/ports.js';
import { Refusal } from '../../deploy/local/refusal.js';
import { benchFolder } from './fixtures.js';

const BACKENDS = ['/usr/lib/git-core/git-http-backend', '/usr/libexec/git-core/git-http-backend'];
/** Exit code of a shell for a program that is not installed. */
const COMMAND_NOT_FOUND = 127;

/**
 * nginx with git's own CGI backend over a folder of bare repositories: the usual plain Git server.
 * @param {string} root
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startNginxPeer(root) {
  const folder = await mkdtemp(join(await benchFolder(), 'nginx-'));
  const port = await freePort();
  const socket = join(folder, 'cgi.sock');
  await writeFile(
    join(folder, 'nginx.conf'),
    configuration({ port, socket, folder, root, backend: await backend() }),
  );
  const cgi = program('fcgiwrap', ['-c', '4', '-s', `unix:${socket}`]);
  await untilThere(socket);
  const nginx = program('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]);
  await untilThere(join(folder, 'nginx.pid'));
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await Promise.all([nginx.stop(), cgi.stop()]);
    },
  };
}

async function backend() {
  for (const path of BACKENDS) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return path;
  }
  throw new Refusal('git-http-backend is not installed beside git');
}

/**
 * Guarded, for fcgiwrap does not end its children with itself.
 * @param {string} command
 * @param {string[]} args
 */
function program(command, args) {
  const child = startGuarded({
    command,
    args,
    output: ['inherit', 'inherit'],
    stopSignal: 'TERM',
    graceSeconds: 5,
  });
  void child.exited.then((code) => {
    if (code !== COMMAND_NOT_FOUND) return;
    console.error(`This benchmark needs ${command} (Debian: apt-get install nginx fcgiwrap)`);
  });
  return child;
}

/** @param {string} path */
async function untilThere(path) {
  for (let tries = 0; tries < 200; tries += 1) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return;
    await new Promise((resume) => setTimeout(resume, 25));
  }
  throw new Error(`${path} did not appear`);
}

/** @param {{ port: number, socket: string, folder: string, root: string, backend: string }} values */
function configuration({ port, socket, folder, root, backend: git }) {
  return `daemon off;
user root;
worker_processes 2;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    location / {
      fastcgi_pass unix:${socket};
      fastcgi_buffering off;
      fastcgi_param SCRIPT_FILENAME ${git};
      fastcgi_param GIT_PROJECT_ROOT ${root};
      fastcgi_param GIT_HTTP_EXPORT_ALL 1;
      fastcgi_param PATH_INFO $uri;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;
      fastcgi_param GIT_PROTOCOL $http_git_protocol;
      fastcgi_param GIT_CONFIG_COUNT 1;
      fastcgi_param GIT_CONFIG_KEY_0 safe.directory;
      fastcgi_param GIT_CONFIG_VALUE_0 *;
    }
  }
}
`;
}
