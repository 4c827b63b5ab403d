// Questions to the course.

import { spoken } from "../shared/language.js";
import { say } from "./words.js";

/** The answer to a refused request. */
export class Refused extends Error {
  /** @param {string} error @param {string} message */
  constructor(error, message) {
    super(message);
    this.error = error;
  }
}

/**
 * The response to a request.
 *
 * @param {string} method
 * @param {string} path
 * @param {BodyInit | object} [body] an object is sent as JSON
 */
export async function request(method, path, body) {
  const isPlain = body !== undefined && Object.getPrototypeOf(body) === Object.prototype;
  /** @type {RequestInit} */
  const options = { method, cache: "no-store", credentials: "same-origin" };
  options.headers = { "Accept-Language": spoken.language, ...(isPlain ? { "Content-Type": "application/json" } : {}) };
  if (body !== undefined) options.body = isPlain ? JSON.stringify(body) : /** @type {BodyInit} */ (body);
  const response = await fetch(path, options).catch(() => {
    throw new Refused("failed", say.failed);
  });
  if (response.ok) return response;
  const { error, message } = await response.json().catch(() => ({ error: "failed", message: say.failed }));
  throw new Refused(error, message);
}

/** Requests the JSON at a path. @param {string} path @returns {Promise<any>} */
export async function read(path) {
  return (await request("GET", path)).json();
}

/** Offers a response as a file. @param {Response} response @param {string} name */
export async function save(response, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
