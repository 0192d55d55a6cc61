import { accessSync, constants, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claim, livingOwner, release } from './owner-file.js';
import { poll } from './processes.js';
import { Refusal } from './refusal.js';

const LOCK = 'guildhall.lock';
const MARK = 'guildhall-data.json';

/**
 * Metadata of a data folder, stored in it.
 * @typedef {object} DataMark
 * @property {string} version of Guildhall
 * @property {number} [postgresMajor]
 * @property {string} [postgresFolder] the cluster, when it is not below the data folder
 */

/**
 * Makes the data folder when needed and holds it until `release`, or until this process ends.
 * Servers of an earlier process that was killed are given time to end first.
 * @param {string} folder absolute
 * @param {DataMark} ours
 * @returns {Promise<{ release: () => void }>}
 * @throws {Refusal} not writable, held by another start, or written by a newer version
 */
export async function holdDataFolder(folder, ours) {
  makeWritable(folder);
  const lock = join(folder, LOCK);
  const holder = claim(lock);
  if (holder) {
    throw new Refusal(
      `already running on ${folder} (process ${holder.pid}): stop it or set DATA_DIR`,
    );
  }
  try {
    await waitForPredecessors(folder);
    markFolder(folder, ours);
  } catch (error) {
    release(lock);
    throw error;
  }
  return { release: () => release(lock) };
}

/** @param {string} folder */
function makeWritable(folder) {
  try {
    // Others may pass through: PostgreSQL of a root user runs as another user.
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new Refusal(
      `the data folder ${folder} is not writable (${code}): set DATA_DIR to another`,
    );
  }
}

/** @param {string} folder */
async function waitForPredecessors(folder) {
  const owners = readdirSync(folder).filter((name) => name.endsWith('.owner'));
  const allGone = () => owners.every((name) => livingOwner(join(folder, name)) === null);
  if (await poll(allGone, { seconds: 40 })) return;
  throw new Refusal(`servers of an earlier run still use ${folder}: stop them first`);
}

/**
 * @param {string} folder
 * @returns {Partial<DataMark>} empty for a new folder
 * @throws {Refusal} when the file cannot be read as one
 */
export function readMark(folder) {
  const path = join(folder, MARK);
  if (!existsSync(path)) return {};
  const mark = parseObject(readFileSync(path, 'utf8'));
  if (mark !== null) return mark;
  throw new Refusal(
    `${path} is damaged: restore it from a backup, or remove it and start the version that wrote it`,
  );
}

/**
 * @param {string} text
 * @returns {Partial<DataMark> | null} null unless it is a JSON object
 */
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Writes what this start knows about the folder and keeps the rest.
 * Refuses data that this version could not read, before anything touches it.
 * @param {string} folder
 * @param {DataMark} ours
 * @throws {Refusal}
 */
export function markFolder(folder, ours) {
  const mark = readMark(folder);
  if (mark.version && isNewer(mark.version, ours.version)) {
    throw new Refusal(
      `${folder} was written by Guildhall ${mark.version}, this is ${ours.version}: update Guildhall or set DATA_DIR`,
    );
  }
  if (mark.postgresMajor && ours.postgresMajor && mark.postgresMajor !== ours.postgresMajor) {
    throw new Refusal(
      `${folder} holds data of PostgreSQL ${mark.postgresMajor}, this is PostgreSQL ${ours.postgresMajor}: move the data with pg_dumpall or set DATA_DIR`,
    );
  }
  const path = join(folder, MARK);
  // A start that is killed leaves the old file or the new one, never a part of it.
  writeFileSync(`${path}.new`, `${JSON.stringify({ ...mark, ...ours }, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

/**
 * @param {string} left
 * @param {string} right
 */
function isNewer(left, right) {
  const theirs = left.split('.').map(Number);
  const ours = right.split('.').map(Number);
  const differing = theirs.findIndex((part, position) => part !== ours[position]);
  return differing >= 0 && (theirs[differing] ?? 0) > (ours[differing] ?? 0);
}
