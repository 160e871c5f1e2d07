// A hand-written server in the manner of the one that came before: one file, Node.js without any package.
//
//     node node_server.mjs LIST
//
// It reads and parses the whole list at every call. An edit takes a lock file (`wx`; tried every 50 ms for 5 s), writes
// JSON.stringify(list, null, 2) beside the list after parsing it once more, and renames it. It does not fsync, keeps no
// history, merges nothing, checks arguments hardly, and answers with text alone.

import { randomUUID } from "node:crypto";
import { open, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";

const path = process.argv[2];
const lockPath = `${path}.lock`;

const text = (description) => ({ type: "string", description });
const tools = [
  ["get_shopping_list", "Shows the shopping list.", {}, []],
  ["add_item", "Adds an item.", { name: text("Name"), amount: text("Amount"), section: text("Section") }, ["name"]],
  ["update_item", "Changes an item.",
    { name: text("Name"), amount: text("Amount"), checked: { type: "boolean" } }, ["name"]],
  ["remove_item", "Removes an item.", { name: text("Name") }, ["name"]],
  ["update_shopping_list", "Replaces the list.", { items: { type: "array", items: { type: "object" } } }, ["items"]],
].map(([name, description, properties, required]) => (
  { name, description, inputSchema: { type: "object", properties, required } }));

async function read() {
  const list = JSON.parse(await readFile(path, "utf8"));
  if (!Array.isArray(list.items)) throw new Error("not a shopping list");
  return list;
}

async function lock() {
  for (let tries = 0; tries < 100; tries++) {
    try {
      const file = await open(lockPath, "wx");
      await file.writeFile(String(process.pid));
      await file.close();
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("the list is locked");
}

async function edit(change) {
  await lock();
  try {
    const list = await read();
    const said = change(list);
    const written = JSON.stringify(list, null, 2);
    JSON.parse(written);
    const temporary = `${path}.${process.pid}.tmp`;
    await writeFile(temporary, written);
    await rename(temporary, path);
    return said;
  } finally {
    await unlink(lockPath);
  }
}

function find(list, name) {
  const wanted = name.toLowerCase();
  const index = list.items.findIndex((item) => item.name.toLowerCase() === wanted);
  if (index < 0) throw new Error(`${name} is not on the list`);
  return index;
}

const shown = (item) => (item.amount ? `${item.name} (${item.amount})` : item.name);
const fresh = () => (
  { id: randomUUID().toUpperCase(), name: "", amount: "", section: "", optional: false, checked: false });
const stamp = () => new Date().toISOString();

const handlers = {
  async get_shopping_list() {
    const list = await read();
    const sections = new Map();
    for (const item of list.items) {
      if (!sections.has(item.section)) sections.set(item.section, []);
      sections.get(item.section).push(`- [${item.checked ? "x" : " "}] ${shown(item)}`);
    }
    return [...sections].map(([name, lines]) => `${name || "No section"}\n${lines.join("\n")}`).join("\n\n");
  },
  add_item({ name, amount = "", section = "" }) {
    return edit((list) => {
      const wanted = name.toLowerCase();
      if (list.items.some((item) => item.name.toLowerCase() === wanted)) throw new Error(`${name} is already there`);
      if (section && !list.sections.includes(section)) list.sections.push(section);
      list.items.push({ ...fresh(), name, amount, section, lastModified: stamp() });
      return `Added ${name}.`;
    });
  },
  update_item({ name, ...changes }) {
    return edit((list) => {
      Object.assign(list.items[find(list, name)], changes, { lastModified: stamp() });
      return `Changed ${name}.`;
    });
  },
  remove_item({ name }) {
    return edit((list) => {
      list.items.splice(find(list, name), 1);
      return `Removed ${name}.`;
    });
  },
  update_shopping_list({ items }) {
    return edit((list) => {
      const known = new Map(list.items.map((item) => [item.name.toLowerCase(), item]));
      list.items = items.map((item) => {
        const before = known.get(item.name.toLowerCase()) ?? fresh();
        const isSame = Object.keys(item).every((key) => before[key] === item[key]);
        return isSame ? before : { ...before, ...item, lastModified: stamp() };
      });
      return `The list has ${list.items.length} items.`;
    });
  },
};

async function answer({ method, params }) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion, capabilities: { tools: {} },
        serverInfo: { name: "node-server", version: "1.0.0" } };
    case "ping": return {};
    case "tools/list": return { tools };
    case "tools/call": {
      const handler = handlers[params.name];
      if (!handler) throw new Error(`no tool ${params.name}`);
      try {
        return { content: [{ type: "text", text: await handler(params.arguments ?? {}) }] };
      } catch (error) {
        return { content: [{ type: "text", text: error.message }], isError: true };
      }
    }
    default: throw new Error(`no method ${method}`);
  }
}

// One after the other, in order.
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  if (request.id === undefined) continue;
  let reply;
  try {
    reply = { jsonrpc: "2.0", id: request.id, result: await answer(request) };
  } catch (error) {
    reply = { jsonrpc: "2.0", id: request.id, error: { code: -32603, message: error.message } };
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
