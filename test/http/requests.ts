/** Requests of friends, strangers and foreign pages, and what each is answered. */
import { PAGE, type Sent } from "./server.ts";

export interface Known {
  readonly port: number;
  /** A program's. */
  readonly token: string;
  /** A browser's. */
  readonly cookie: string;
  /** Of a new link. */
  readonly code: () => string;
}

export interface Row {
  readonly name: string;
  readonly sent: (known: Known) => Sent;
  /** 404 for a decision: it was let through, and there is no such run. */
  readonly status: number;
}

type Headers = Readonly<Record<string, string>>;

const asBrowser = (cookie: string, more: Headers = {}): Headers => ({ cookie, ...PAGE, ...more });
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const body = JSON.stringify({ run: "none", question: "a/c1", answer: { kind: "skip" } });
const decision = (headers: Headers): Sent => ({
  ...{ method: "POST", path: "/api/answer", body, headers },
});

const button: Sent = {
  ...{ method: "POST", path: "/api/answer-by-token", body: JSON.stringify({ token: "a.b" }) },
};

export const REQUESTS: readonly Row[] = [
  { name: "no secret", sent: () => ({ path: "/api/list" }), status: 401 },
  {
    name: "a token in the address",
    sent: ({ token }) => ({ path: `/api/list?token=${token}` }),
    status: 401,
  },
  {
    name: "a token",
    sent: ({ token }) => ({ path: "/api/list", headers: bearer(token) }),
    status: 200,
  },
  { name: "a token decides", sent: ({ token }) => decision(bearer(token)), status: 404 },
  {
    name: "a token that is not one",
    sent: () => ({ path: "/api/list", headers: bearer("unstuck_") }),
    status: 401,
  },
  {
    name: "another scheme",
    sent: ({ token }) => ({ path: "/api/list", headers: { authorization: `Basic ${token}` } }),
    status: 401,
  },
  {
    name: "another scheme, and a browser's cookie",
    sent: ({ cookie }) => ({ path: "/api/list", headers: { cookie, authorization: "Basic x" } }),
    status: 401,
  },
  {
    name: "a cookie's secret as a token",
    sent: ({ cookie }) => ({ path: "/api/list", headers: bearer(cookie.split("=")[1] ?? "") }),
    status: 401,
  },
  {
    name: "a token as a cookie",
    sent: ({ port, token }) => ({
      path: "/api/list",
      headers: { cookie: `unstuck-${port}=${token}` },
    }),
    status: 401,
  },
  {
    name: "a link's code as a token",
    sent: ({ code }) => ({ path: "/api/list", headers: bearer(code()) }),
    status: 401,
  },
  {
    name: "a browser reads",
    sent: ({ cookie }) => ({ path: "/api/list", headers: { cookie } }),
    status: 200,
  },
  { name: "the page decides", sent: ({ cookie }) => decision(asBrowser(cookie)), status: 404 },
  {
    name: "the page decides, with its origin",
    sent: ({ port, cookie }) => decision(asBrowser(cookie, { origin: `http://127.0.0.1:${port}` })),
    status: 404,
  },
  {
    name: "a form of another site",
    sent: ({ cookie }) =>
      decision({ cookie, "content-type": "text/plain", origin: "https://evil.example" }),
    status: 403,
  },
  {
    name: "a script of another site",
    sent: ({ cookie }) => decision(asBrowser(cookie, { origin: "https://evil.example" })),
    status: 403,
  },
  {
    name: "a page of another port of this machine",
    sent: ({ cookie }) => decision(asBrowser(cookie, { origin: "http://127.0.0.1:1" })),
    status: 403,
  },
  {
    name: "a page without an origin",
    sent: ({ cookie }) => decision(asBrowser(cookie, { origin: "null" })),
    status: 403,
  },
  {
    name: "a cookie without the page's header",
    sent: ({ cookie }) => decision({ cookie, "content-type": "application/json" }),
    status: 403,
  },
  {
    name: "a cookie with a form's body",
    sent: ({ cookie }) =>
      decision(asBrowser(cookie, { "content-type": "application/x-www-form-urlencoded" })),
    status: 403,
  },
  {
    name: "a picture on another site",
    sent: ({ cookie }) => ({
      path: "/api/list",
      headers: { cookie, "sec-fetch-site": "cross-site" },
    }),
    status: 403,
  },
  {
    name: "a picture on a page of another port",
    sent: ({ cookie }) => ({
      path: "/api/list",
      headers: { cookie, "sec-fetch-site": "same-site" },
    }),
    status: 403,
  },
  {
    name: "figures on another site",
    sent: ({ cookie }) => ({
      path: "/metrics",
      headers: { cookie, "sec-fetch-site": "cross-site" },
    }),
    status: 403,
  },
  { name: "figures without a secret", sent: () => ({ path: "/metrics" }), status: 401 },
  {
    name: "a link in a message on another site leads to the page",
    sent: () => ({ path: "/runs/x", headers: { "sec-fetch-site": "cross-site" } }),
    status: 200,
  },
  {
    name: "the page by a name it was given, behind TLS of another program",
    sent: ({ cookie }) =>
      decision(
        asBrowser(cookie, { host: "runs.example.test", origin: "https://runs.example.test" }),
      ),
    status: 404,
  },
  {
    name: "another name's origin",
    sent: ({ cookie }) =>
      decision(asBrowser(cookie, { host: "runs.example.test", origin: "https://x.test" })),
    status: 403,
  },
  {
    name: "a folder that is not there",
    sent: ({ token }) => ({ path: "/api/list?folder=/nowhere", headers: bearer(token) }),
    status: 400,
  },
  {
    name: "a folder from somewhere",
    sent: ({ token }) => ({ path: "/api/list?folder=../..", headers: bearer(token) }),
    status: 400,
  },
  {
    name: "another name for this address",
    sent: ({ port, cookie }) => ({
      path: "/api/list",
      headers: { cookie, host: `evil.example:${port}` },
    }),
    status: 403,
  },
  {
    name: "a name that holds ours",
    sent: ({ port }) => ({ headers: { host: `127.0.0.1.evil.example:${port}` } }),
    status: 403,
  },
  {
    name: "another address",
    sent: ({ port }) => ({ headers: { host: `10.0.0.1:${port}` } }),
    status: 403,
  },
  { name: "another port", sent: () => ({ headers: { host: "127.0.0.1:80" } }), status: 403 },
  {
    name: "localhost",
    sent: ({ port }) => ({ headers: { host: `localhost:${port}` } }),
    status: 200,
  },
  {
    name: "a name it was given",
    sent: () => ({ headers: { host: "runs.example.test" } }),
    status: 200,
  },
  {
    name: "a change by GET",
    sent: ({ cookie }) => ({
      path: "/api/cancel?input=%7B%22run%22%3A%22x%22%7D",
      headers: { cookie },
    }),
    status: 405,
  },
  {
    name: "a button's token that is none",
    sent: () => ({ ...button, headers: { "content-type": "application/json" } }),
    status: 403,
  },
  {
    name: "a button's token that is none, of who is signed in",
    sent: ({ cookie }) => ({ ...button, headers: asBrowser(cookie) }),
    status: 403,
  },
  {
    name: "a button's token by another name for this address",
    sent: ({ port }) => ({ ...button, headers: { host: `evil.example:${port}` } }),
    status: 403,
  },
  {
    name: "a button's token in the address",
    sent: () => ({ path: "/api/answer-by-token?token=x" }),
    status: 401,
  },
  {
    name: "a button's token in the address, of who is signed in",
    sent: ({ cookie }) => ({ path: "/api/answer-by-token?token=x", headers: { cookie } }),
    status: 405,
  },
  {
    name: "the name of every object",
    sent: ({ token }) => ({ path: "/api/__proto__", headers: bearer(token) }),
    status: 404,
  },
  {
    name: "what stays at the terminal",
    sent: ({ token }) => ({ ...decision(bearer(token)), path: "/api/hook-install" }),
    status: 404,
  },
  {
    name: "another method",
    sent: ({ token }) => ({ method: "DELETE", path: "/api/list", headers: bearer(token) }),
    status: 404,
  },
];
