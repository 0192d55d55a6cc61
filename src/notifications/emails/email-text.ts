import type { ComponentChildren, FunctionComponent, VNode } from 'preact';
import { Written, writtenText } from './email-parts.js';

/**
 * Control characters but for tabs, line and paragraph separators: names and titles are one line.
 */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const BLOCKS = new Set<unknown>(['h1', 'p']);

/** Elements of an email, with the properties that their text form needs. */
type Element = VNode<{ children?: ComponentChildren; text?: string; href?: string }>;

/** Returns the text part of an email: the same tree of components as its HTML part. */
export function plainText(node: ComponentChildren): string {
  return `${blocksOf(node).join('\n\n')}\n`;
}

function blocksOf(node: ComponentChildren): string[] {
  if (Array.isArray(node)) return node.flatMap(blocksOf);
  if (!isElement(node)) return [];
  const { type, props } = node;
  if (type === Written) return [writtenText({ text: props.text ?? '' })];
  if (typeof type === 'function') return blocksOf(called(node));
  if (type === 'footer') return [`-- \n${blocksOf(props.children).join('\n')}`];
  if (type === 'ul') return [elementsOf(props.children).map(itemText).join('\n')];
  if (type === 'table') return [elementsOf(props.children).map(rowText).join('\n')];
  return BLOCKS.has(type) ? [lineOf(props.children)] : blocksOf(props.children);
}

function itemText({ props }: Element): string {
  return `- ${lineOf(props.children)}`;
}

function rowText({ props }: Element): string {
  const [name, value] = elementsOf(props.children).map((cell) => lineOf(cell.props.children));
  return `${name}: ${value}`;
}

/** Returns the text on one line: names can contain line breaks. */
function lineOf(node: ComponentChildren): string {
  return inlineText(node).replace(BREAKS, ' ').trim();
}

function inlineText(node: ComponentChildren): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(inlineText).join('');
  if (!isElement(node)) return '';
  const { type, props } = node;
  if (typeof type === 'function') return inlineText(called(node));
  const text = inlineText(props.children);
  const { href } = props;
  return href === undefined || href === text ? text : `${text}: ${href}`;
}

function called({ type, props }: Element): ComponentChildren {
  return (type as FunctionComponent)(props);
}

function elementsOf(node: ComponentChildren): Element[] {
  if (Array.isArray(node)) return node.flatMap(elementsOf);
  return isElement(node) ? [node] : [];
}

function isElement(node: ComponentChildren): node is Element {
  return typeof node === 'object' && node !== null && 'props' in node;
}
