// Entry of the hosted page: the element stands in the page already, with its attributes filled in by the service.

import "./page.css";
import { define } from "./view/dialoom-chat";

define();
