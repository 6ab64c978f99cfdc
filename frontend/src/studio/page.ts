// Entry of the studio's page. The element finds out for itself whether somebody is signed in.

import "./page.css";
import { define } from "./dialoom-studio";

define();
