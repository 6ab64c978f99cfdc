// Entry of the sandbox's page, which `dialoom run --sandbox` serves beside the service.

import "../studio/page.css";
import { define } from "./dialoom-sandbox";

define();
