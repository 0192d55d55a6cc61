import type { ComponentChildren, FunctionComponent, VNode } from 'preact';
import { CodeBlock, PlainText, Written, writtenText } from './email-parts.js';

/**
 * Control characters but for tabs, line and paragraph separators: names and titles are one line.
 */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Elements of an email, with the properties that their text form needs. */
type Element = VNode<{
  children?: ComponentChildren;
  text?: string;
  href?: string;
  label?: string;
  code?: string;
  class?: string;
}>;

/** Returns the paragraphs of the text part: the same tree of components as the HTML part. */
export function plainText(node: ComponentChildren): string[] {
  if (Array.isArray(node)) return node.flatMap(plainText);
  if (!isElement(node)) return [];
  const { type, props } = node;
  if (type === Written) return [writtenText({ href: props.href ?? '', text: props.text ?? '' })];
  if (type === PlainText) return [writtenText({ text: props.text ?? '' })];
  if (type === CodeBlock) return [`${props.label}\n${writtenText({ text: props.code ?? '' })}`];
  if (typeof type === 'function') return plainText(called(node));
  if (type === 'ul') return [elementsOf(props.children).map(itemText).join('\n')];
  if (type === 'table') return [elementsOf(props.children).map(rowText).join('\n')];
  return type === 'p' ? [lineOf(props.children)] : plainText(props.children);
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
  const isShort = href === undefined || href === text || props.class?.includes('quiet') === true;
  return isShort ? text : `${text}: ${href}`;
}

function called({ type, props }: Element): ComponentChildren {
  return (type as FunctionComponent)(props);
}

/** Elements below fragments and components, which stand for rows and items. */
function elementsOf(node: ComponentChildren): Element[] {
  if (Array.isArray(node)) return node.flatMap(elementsOf);
  if (!isElement(node)) return [];
  return typeof node.type === 'function' ? elementsOf(called(node)) : [node];
}

function isElement(node: ComponentChildren): node is Element {
  return typeof node === 'object' && node !== null && 'props' in node;
}
