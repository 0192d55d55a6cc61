import type { GitConfiguration } from '../git/git-process.js';
import { killGroup, spawnGit } from '../git/git-process.js';
import {
  assertConnected,
  endResponse,
  exited,
  type GitExchange,
  protocolEnvironment,
  sendOutput,
  setGitHeaders,
} from './git-exchange.js';
import { packetLine } from './packet-lines.js';

/** Answers info/refs with what the service's own program lists. The client's leaving ends it. */
export async function advertiseRefs(
  { request, response, service, path }: GitExchange,
  config: GitConfiguration,
): Promise<void> {
  assertConnected(response);
  const command = service.slice('git-'.length);
  const child = spawnGit([command, '--stateless-rpc', '--http-backend-info-refs', '.'], {
    cwd: path,
    env: protocolEnvironment(request),
    config,
  });
  response.once('close', () => killGroup(child, 'SIGKILL'));
  child.stdin?.end();
  setGitHeaders(response, `application/x-${service}-advertisement`);
  child.stdout?.once('data', () => {
    response.write(`${packetLine(`# service=${service}\n`)}0000`);
  });
  sendOutput(child, response);
  endResponse(response, await exited(child));
}
